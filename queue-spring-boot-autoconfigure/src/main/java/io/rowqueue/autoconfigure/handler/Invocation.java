package io.rowqueue.autoconfigure.handler;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/** How a handler method is called, in the calling thread. */
@FunctionalInterface
interface Invocation {

	/**
	 * Calls the method.
	 * @param arguments one for each parameter that the application declares, or
	 * {@link PayloadParameter#OMITTED}
	 * @throws InvocationTargetException with what the method throws
	 * @throws Exception what a suspend function throws
	 */
	@Nullable Object invoke(Method method, Object target, @Nullable Object[] arguments) throws Exception;

	static Invocation of(HandlerMethod method) {
		return method.isSuspending() ? Coroutine::run : Invocation::call;
	}

	private static @Nullable Object call(Method method, Object target, @Nullable Object[] arguments) throws Exception {
		return hasOmitted(arguments) ? DefaultArguments.call(method, target, arguments)
				: method.invoke(target, arguments);
	}

	static boolean hasOmitted(@Nullable Object[] arguments) {
		return Arrays.asList(arguments).contains(PayloadParameter.OMITTED);
	}

}
