package io.rowqueue.autoconfigure.handler;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.BuildersKt;
import org.jspecify.annotations.Nullable;
import org.springframework.core.PropagationContextElement;
import org.springframework.util.ClassUtils;

/**
 * Runs a suspend function as a coroutine whose thread is the calling one, until it and
 * the coroutines that it has started have ended. An interrupt of the thread cancels them.
 * Loaded only if a handler is a suspend function.
 */
final class Coroutine {

	private static final boolean PROPAGATES = ClassUtils.isPresent("io.micrometer.context.ContextSnapshotFactory",
			Coroutine.class.getClassLoader());

	private Coroutine() {
	}

	static @Nullable Object run(Method method, Object target, @Nullable Object[] arguments) throws Exception {
		return BuildersKt.runBlocking(context(),
				(scope, continuation) -> invoke(method, target, arguments, continuation));
	}

	/** What other threads of the coroutine get of this one. */
	private static CoroutineContext context() {
		LogContext log = LogContext.ofThisThread();
		return PROPAGATES ? Propagation.add(log) : log;
	}

	private static @Nullable Object invoke(Method method, Object target, @Nullable Object[] arguments,
			Continuation<? super Object> continuation) {
		if (Invocation.hasOmitted(arguments)) {
			return DefaultArguments.suspend(method, target, arguments, continuation);
		}
		@Nullable Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
		all[arguments.length] = continuation;
		try {
			return method.invoke(target, all);
		}
		catch (InvocationTargetException ex) {
			throw Coroutine.<RuntimeException>asIs(ex.getTargetException());
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Kotlin declares no exceptions. */
	@SuppressWarnings("unchecked")
	private static <E extends Throwable> RuntimeException asIs(Throwable error) throws E {
		throw (E) error;
	}

	/** Loaded only if the library that propagates thread-locals is on the class path. */
	private static final class Propagation {

		static CoroutineContext add(CoroutineContext context) {
			return context.plus(new PropagationContextElement());
		}

	}

}
