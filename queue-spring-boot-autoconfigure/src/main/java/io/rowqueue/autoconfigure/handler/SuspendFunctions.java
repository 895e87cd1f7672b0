package io.rowqueue.autoconfigure.handler;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;

import org.springframework.util.ClassUtils;

/**
 * What a suspend function of Kotlin looks like to Java: its last parameter is the
 * continuation, which takes the result.
 */
final class SuspendFunctions {

	private SuspendFunctions() {
	}

	/** Whether the library that runs them is on the class path. */
	static boolean areSupported() {
		return ClassUtils.isPresent("kotlinx.coroutines.BuildersKt", null);
	}

	/** Returns the type of the result, which the continuation is declared to take. */
	static Type resultType(Method method) {
		Type[] parameters = method.getGenericParameterTypes();
		if (parameters[parameters.length - 1] instanceof ParameterizedType continuation
				&& continuation.getActualTypeArguments()[0] instanceof WildcardType taken
				&& taken.getLowerBounds().length == 1) {
			return taken.getLowerBounds()[0];
		}
		return Object.class;
	}

}
