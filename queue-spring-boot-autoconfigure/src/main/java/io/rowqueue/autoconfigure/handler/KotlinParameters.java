package io.rowqueue.autoconfigure.handler;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;

import io.rowqueue.autoconfigure.handler.PayloadParameter.Absence;
import kotlin.reflect.KFunction;
import kotlin.reflect.KParameter;
import kotlin.reflect.KTypeParameter;
import kotlin.reflect.jvm.ReflectJvmMapping;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;

/** What only Kotlin's own reflection knows of the parameters of a method. */
final class KotlinParameters {

	private KotlinParameters() {
	}

	/** Returns what a parameter takes for an absent payload; Java code takes null. */
	static Absence absence(Parameter parameter, Method method) {
		return (KotlinDetector.isKotlinReflectPresent() && KotlinDetector.isKotlinType(method.getDeclaringClass()))
				? Reflection.absence(parameter, method) : Absence.NULL;
	}

	/** Loaded only if Kotlin is on the class path. */
	private static final class Reflection {

		static Absence absence(Parameter parameter, Method method) {
			@Nullable KFunction<?> function = ReflectJvmMapping.getKotlinFunction(method);
			if (function == null) {
				return Absence.NULL;
			}
			int index = Arrays.asList(method.getParameters()).indexOf(parameter);
			// a receiver is a parameter for Java
			List<KParameter> all = function.getParameters()
				.stream()
				.filter((each) -> each.getKind() != KParameter.Kind.INSTANCE)
				.toList();
			KParameter declared = all.get(index);
			if (declared.isOptional()) {
				return Absence.DEFAULT;
			}
			boolean nullable = declared.getType().isMarkedNullable()
					|| declared.getType().getClassifier() instanceof KTypeParameter;
			return nullable ? Absence.NULL : Absence.ERROR;
		}

	}

}
