package io.rowqueue.autoconfigure.handler;

import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.stream.Stream;

import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.GenericTypeResolver;
import org.springframework.util.ClassUtils;

/**
 * Enables a native image to map payloads to the parameters of handlers, and to write the
 * results that are kept.
 */
class JobHandlerAotProcessor implements BeanRegistrationAotProcessor {

	private final BindingReflectionHintsRegistrar registrar = new BindingReflectionHintsRegistrar();

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> beanClass = ClassUtils.getUserClass(bean.getBeanClass());
		Type[] types = JobHandlerMethods.of(beanClass)
			.entrySet()
			.stream()
			.flatMap((handler) -> types(new HandlerMethod(handler.getKey(), beanClass, ""), handler.getValue()))
			.map((type) -> GenericTypeResolver.resolveType(type, beanClass))
			.toArray(Type[]::new);
		return (types.length == 0) ? null : (generation, code) -> this.registrar
			.registerReflectionHints(generation.getRuntimeHints().reflection(), types);
	}

	/** The types that are read from JSON, and the one that is written. */
	private static Stream<Type> types(HandlerMethod method, JobHandler annotation) {
		Stream<Type> payloads = method.parameters()
			.stream()
			.map(Parameter::getParameterizedType)
			.filter((type) -> type != JobContext.class);
		return annotation.keepResult() ? Stream.concat(payloads, Stream.of(method.resultType())) : payloads;
	}

}
