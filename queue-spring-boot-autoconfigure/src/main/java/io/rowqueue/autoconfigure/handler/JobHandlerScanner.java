package io.rowqueue.autoconfigure.handler;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

import io.rowqueue.JobHandler;
import io.rowqueue.JobType;
import io.rowqueue.PayloadCodec;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.handler.HandlerScanListener;
import io.rowqueue.engine.handler.InvalidJobHandlerException;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.KotlinDetector;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.util.ClassUtils;

/**
 * Finds the handler methods of all beans by the types of the beans, so that the scan
 * creates no bean: a lazy bean is created by its first job.
 */
final class JobHandlerScanner {

	private static final Set<String> SCOPES_OF_REQUESTS = Set.of("request", "session", "websocket");

	private final TransactionAttributeSource transactions = new AnnotationTransactionAttributeSource(false);

	private final ConfigurableListableBeanFactory beans;

	private final AnnotatedOptions options;

	JobHandlerScanner(ConfigurableListableBeanFactory beans, AnnotatedOptions options) {
		this.beans = beans;
		this.options = options;
	}

	/**
	 * Adds the handlers.
	 * @param codec reads their payloads and writes their results
	 * @param listeners are notified of each
	 * @return their annotations, by type
	 */
	Map<String, JobHandler> addHandlersTo(HandlerRegistry.Builder builder, PayloadCodec codec,
			List<HandlerScanListener> listeners) {
		Map<String, JobHandler> annotations = new LinkedHashMap<>();
		forEach((method, annotation) -> annotations.put(add(builder, codec, method, annotation, listeners),
				annotation));
		return annotations;
	}

	/**
	 * The types for whose requests a handler's annotation has defaults. A method without
	 * a type is refused when its handler is added.
	 */
	Map<String, JobType<?>> jobTypes(PayloadCodec codec) {
		Map<String, JobType<?>> types = new HashMap<>();
		forEach((method, annotation) -> {
			String type = this.options.type(annotation, method);
			JobType<Object> declared = type.isEmpty() ? null : this.options.jobType(annotation, type, method, codec);
			if (declared != null) {
				types.put(type, declared);
			}
		});
		return types;
	}

	/** Each handler method of a bean. */
	private void forEach(BiConsumer<HandlerMethod, JobHandler> action) {
		for (String beanName : this.beans.getBeanNamesForType(Object.class)) {
			// the proxy of a scoped target is a bean as well
			if (ScopedProxyUtils.isScopedTarget(beanName)) {
				continue;
			}
			Class<?> beanClass = writtenClassOf(beanName);
			if (beanClass != null) {
				JobHandlerMethods.of(beanClass)
					.forEach((method, annotation) -> action.accept(new HandlerMethod(method, beanClass, beanName),
							annotation));
			}
		}
	}

	/** Returns the class of the application behind proxies, if it is known. */
	private @Nullable Class<?> writtenClassOf(String beanName) {
		Class<?> type = AutoProxyUtils.determineTargetClass(this.beans, beanName);
		if (type != null && ScopedObject.class.isAssignableFrom(type)) {
			String targetName = ScopedProxyUtils.getTargetBeanName(beanName);
			Class<?> target = this.beans.containsBean(targetName)
					? AutoProxyUtils.determineTargetClass(this.beans, targetName) : null;
			type = (target != null) ? target : type;
		}
		return (type != null) ? ClassUtils.getUserClass(type) : null;
	}

	private void checkScope(HandlerMethod method) {
		String target = ScopedProxyUtils.getTargetBeanName(method.beanName());
		String definition = this.beans.containsBeanDefinition(target) ? target : method.beanName();
		String scope = this.beans.containsBeanDefinition(definition)
				? this.beans.getMergedBeanDefinition(definition).getScope() : null;
		if (scope != null && SCOPES_OF_REQUESTS.contains(scope)) {
			throw new InvalidJobHandlerException(method.description(),
					"is in a bean of the scope '" + scope + "', but jobs run outside of any " + scope,
					"Move it to a bean of another scope, and pass the data that it needs in the payload.");
		}
	}

	/**
	 * JDBC's transactions end before the coroutine does, and R2DBC's go along with it.
	 */
	private void checkTransactions(HandlerMethod method) {
		if (KotlinDetector.isSuspendingFunction(method.method())
				&& this.transactions.hasTransactionAttribute(method.method(), method.beanClass())
				&& this.beans.getBeanNamesForType(ReactiveTransactionManager.class, true, false).length == 0) {
			throw new InvalidJobHandlerException(method.description(),
					"is a suspend function and @Transactional, but the transaction would end before the work is done",
					"Make it a function without suspend, or remove @Transactional from it or its class and use a"
							+ " TransactionTemplate for blocks that do not suspend.");
		}
	}

	private String add(HandlerRegistry.Builder builder, PayloadCodec codec, HandlerMethod method, JobHandler annotation,
			List<HandlerScanListener> listeners) {
		checkScope(method);
		checkTransactions(method);
		String type = this.options.type(annotation, method);
		listeners.forEach((listener) -> listener.check(method.method(), method.description(), type));
		builder.add(new MethodHandler(type, method, this.options.options(annotation, method), codec,
				() -> this.beans.getBean(method.beanName())));
		listeners.forEach((listener) -> listener.added(method.method(), method.description(), type));
		Class<?> exposedClass = this.beans.getType(method.beanName());
		if (exposedClass != null) {
			method.callableOn(exposedClass);
		}
		return type;
	}

}
