package io.pgqueue.autoconfigure.handler;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Set;

import io.pgqueue.JobContext;
import io.pgqueue.engine.handler.HandlerMethod;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.GenericTypeResolver;
import org.springframework.util.ClassUtils;

/** Enables a native image to map payloads to the parameters of handlers. */
class JobHandlerAotProcessor implements BeanRegistrationAotProcessor {

	private final BindingReflectionHintsRegistrar registrar = new BindingReflectionHintsRegistrar();

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> beanClass = ClassUtils.getUserClass(bean.getBeanClass());
		List<Type> payloads = payloadTypes(JobHandlerMethods.of(beanClass).keySet(), beanClass);
		return payloads.isEmpty() ? null : (generation, code) -> this.registrar
			.registerReflectionHints(generation.getRuntimeHints().reflection(), payloads.toArray(Type[]::new));
	}

	private static List<Type> payloadTypes(Set<Method> handlers, Class<?> beanClass) {
		return handlers.stream()
			.flatMap((method) -> new HandlerMethod(method, beanClass, "").parameters().stream())
			.map(Parameter::getParameterizedType)
			.filter((type) -> type != JobContext.class)
			.map((type) -> GenericTypeResolver.resolveType(type, beanClass))
			.toList();
	}

}
