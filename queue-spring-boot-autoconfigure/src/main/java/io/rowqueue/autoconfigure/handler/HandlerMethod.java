package io.rowqueue.autoconfigure.handler;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.rowqueue.engine.handler.InvalidJobHandlerException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A method of a bean that runs jobs.
 *
 * @param method the method as declared by the application, not that of a proxy
 * @param beanClass the class of the bean: the class of the method or a subclass
 * @param beanName the name of the bean, for logs and errors
 */
record HandlerMethod(Method method, Class<?> beanClass, String beanName) {

	/** By name, since the engine depends neither on Reactive Streams nor on Kotlin. */
	private static final Set<String> ASYNCHRONOUS = Set.of("java.util.concurrent.Future",
			"java.util.concurrent.CompletionStage", "org.reactivestreams.Publisher", "kotlinx.coroutines.Job",
			"kotlinx.coroutines.flow.Flow");

	/**
	 * Returns the location of the method in the application's code.
	 * @return the class, method, parameters and bean
	 */
	String description() {
		return "%s.%s(%s) of bean '%s'".formatted(this.beanClass.getName(), this.method.getName(),
				parameters().stream()
					.map((parameter) -> parameter.getType().getSimpleName())
					.collect(Collectors.joining(", ")),
				this.beanName);
	}

	/**
	 * Returns the parameters that the application declares.
	 * @return the parameters, without the continuation of a suspend function of Kotlin
	 */
	List<Parameter> parameters() {
		Parameter[] all = this.method.getParameters();
		return List.of(isSuspending() ? Arrays.copyOf(all, all.length - 1) : all);
	}

	/** Returns whether it is a suspend function of Kotlin. */
	boolean isSuspending() {
		return KotlinDetector.isSuspendingFunction(this.method);
	}

	/**
	 * Returns the type that the application declares as the result.
	 * @return the generic type
	 */
	Type resultType() {
		return isSuspending() ? SuspendFunctions.resultType(this.method) : this.method.getGenericReturnType();
	}

	/** The class that the application declares as the result. */
	private Class<?> returned() {
		return isSuspending() ? ResolvableType.forType(resultType()).toClass() : this.method.getReturnType();
	}

	/**
	 * Finds the method to call on a bean that may be a proxy.
	 * @param exposedClass the class of the object that the container provides
	 * @return the method itself or the one of an interface that the proxy implements,
	 * accessible
	 * @throws InvalidJobHandlerException if the method cannot be called through the proxy
	 */
	Method callableOn(Class<?> exposedClass) {
		if (Modifier.isFinal(this.method.getModifiers()) && isSubclassProxy(exposedClass)) {
			throw refused("is final, and the proxy of its bean cannot override it", "Make the method non-final.");
		}
		if (isHiddenFrom(exposedClass) && isSubclassProxy(exposedClass)) {
			throw refused(
					"is package-private in the package %s, and the proxy of its bean, in another package, cannot override it"
						.formatted(this.method.getDeclaringClass().getPackageName()),
					"Make the method protected or public.");
		}
		Method callable = this.method.getDeclaringClass().isAssignableFrom(exposedClass) ? this.method
				: implementedBy(exposedClass);
		ReflectionUtils.makeAccessible(callable);
		return callable;
	}

	/** Called on a proxy, it would run in the proxy, whose fields are empty. */
	private boolean isHiddenFrom(Class<?> subclass) {
		int visible = Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE;
		return (this.method.getModifiers() & visible) == 0
				&& !this.method.getDeclaringClass().getPackageName().equals(subclass.getPackageName());
	}

	/** The interface may be generic: its method then has other parameter types. */
	private Method implementedBy(Class<?> exposedClass) {
		return ClassUtils.getAllInterfacesForClassAsSet(exposedClass)
			.stream()
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.filter((candidate) -> candidate.getName().equals(this.method.getName()))
			.filter((candidate) -> this.method
				.equals(BridgeMethodResolver.getMostSpecificMethod(candidate, this.beanClass)))
			.findFirst()
			.orElseThrow(() -> refused(
					"cannot be called on its bean, which is of the class %s".formatted(exposedClass.getName()),
					"Declare the method in an interface of the bean, or let Spring create class-based proxies"
							+ " (proxyTargetClass = true)."));
	}

	void check() {
		int modifiers = this.method.getModifiers();
		if (Modifier.isStatic(modifiers)) {
			throw refused("is static", "Make it an instance method of the bean.");
		}
		if (Modifier.isPrivate(modifiers)) {
			throw refused("is private, so that proxies (transactions, security, …) do not apply",
					"Make it at least package-private.");
		}
		Class<?> returned = returned();
		if (ASYNCHRONOUS.stream().anyMatch((type) -> isA(returned, type))) {
			throw refused("returns a %s: its job would end before the work is done".formatted(returned.getSimpleName()),
					"Do the work in the method, and return when it is done.");
		}
		if (isSuspending() && !SuspendFunctions.areSupported()) {
			throw refused("is a suspend function, which needs kotlinx-coroutines to run",
					"Add the dependency io.rowqueue:rowqueue-kotlin, which brings org.jetbrains.kotlinx:kotlinx-coroutines-core.");
		}
		if (AnnotatedElementUtils.hasAnnotation(this.method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(this.beanClass, Async.class)) {
			throw refused("is @Async: its job would succeed before the work is done, and an exception would be lost",
					"Remove @Async: each job runs in a separate thread anyway.");
		}
	}

	void checkReturns() {
		Class<?> returned = returned();
		if (returned == void.class || returned.getName().equals("kotlin.Unit")) {
			throw refused("has no result to keep", "Return the result, or remove keepResult.");
		}
	}

	/** A coroutine may continue in other threads, where the transaction is not. */
	void checkTransactional() {
		if (isSuspending()) {
			throw refused("is a suspend function and transactional, but a transaction is bound to one thread",
					"Make it a function without suspend, or remove transactional.");
		}
	}

	InvalidJobHandlerException refused(String reason, String action) {
		return new InvalidJobHandlerException(description(), reason, action);
	}

	private static boolean isA(@Nullable Class<?> type, String name) {
		return type != null && (type.getName().equals(name) || isA(type.getSuperclass(), name)
				|| Arrays.stream(type.getInterfaces()).anyMatch((each) -> isA(each, name)));
	}

	/** Compares names, since the engine does not depend on Spring AOP. */
	private static boolean isSubclassProxy(Class<?> exposedClass) {
		return !Proxy.isProxyClass(exposedClass) && Arrays.stream(exposedClass.getInterfaces())
			.anyMatch((type) -> type.getName().equals("org.springframework.aop.SpringProxy"));
	}

}
