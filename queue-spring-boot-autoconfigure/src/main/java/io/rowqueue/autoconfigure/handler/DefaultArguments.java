package io.rowqueue.autoconfigure.handler;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import kotlin.coroutines.Continuation;
import kotlin.reflect.KFunction;
import kotlin.reflect.KParameter;
import kotlin.reflect.full.KCallables;
import kotlin.reflect.jvm.KCallablesJvm;
import kotlin.reflect.jvm.ReflectJvmMapping;
import org.jspecify.annotations.Nullable;

/**
 * Calls a Kotlin function that declares default values, without the arguments that are
 * {@linkplain PayloadParameter#OMITTED omitted}. Loaded only for such a function.
 */
final class DefaultArguments {

	private DefaultArguments() {
	}

	static @Nullable Object call(Method method, Object target, @Nullable Object[] arguments) {
		KFunction<?> function = function(method);
		return function.callBy(given(function, target, arguments));
	}

	static @Nullable Object suspend(Method method, Object target, @Nullable Object[] arguments,
			Continuation<? super Object> continuation) {
		KFunction<?> function = function(method);
		return KCallables.callSuspendBy(function, given(function, target, arguments), continuation);
	}

	private static KFunction<?> function(Method method) {
		KFunction<?> function = Objects.requireNonNull(ReflectJvmMapping.getKotlinFunction(method),
				"not a Kotlin function");
		KCallablesJvm.setAccessible(function, true);
		return function;
	}

	private static Map<KParameter, @Nullable Object> given(KFunction<?> function, Object target,
			@Nullable Object[] arguments) {
		Map<KParameter, @Nullable Object> given = new HashMap<>();
		List<KParameter> parameters = function.getParameters();
		given.put(parameters.get(0), target);
		for (int i = 0; i < arguments.length; i++) {
			if (arguments[i] != PayloadParameter.OMITTED) {
				given.put(parameters.get(i + 1), arguments[i]);
			}
		}
		return given;
	}

}
