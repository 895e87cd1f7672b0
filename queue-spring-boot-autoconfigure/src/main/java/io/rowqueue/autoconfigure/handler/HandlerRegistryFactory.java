package io.rowqueue.autoconfigure.handler;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobHandler;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobRequest;
import io.rowqueue.JobType;
import io.rowqueue.PayloadCodec;
import io.rowqueue.autoconfigure.JobTypeProperties;
import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.engine.enqueue.DeclaredTypes;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.handler.HandlerScanListener;
import io.rowqueue.engine.handler.InvalidJobHandlerException;
import io.rowqueue.engine.support.PropertyName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * Fills the registry with the {@link JobHandler} methods of all beans and with the
 * handlers that {@link JobHandlers.Registrar} beans register, once all singletons are
 * created and before any lifecycle bean starts. An invalid handler fails the
 * application's start.
 *
 * @since 0.1.0
 */
public final class HandlerRegistryFactory
		implements Supplier<HandlerRegistry>, DeclaredTypes, SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(HandlerRegistryFactory.class);

	private final ConfigurableListableBeanFactory beans;

	private final JobHandlerScanner scanner;

	private final PayloadCodec codec;

	private final RetryNotation retries;

	private final Map<String, JobTypeProperties> types;

	private final PayloadChecks payloads;

	/**
	 * What is known while beans are created, when jobs may be enqueued already. It lacks
	 * handlers in beans that do not exist yet, and whose methods declare an interface.
	 */
	private final Supplier<Map<String, JobType<?>>> earlyJobTypes = SingletonSupplier.of(this::findJobTypes);

	private volatile @Nullable Map<String, JobType<?>> jobTypes;

	private volatile @Nullable HandlerRegistry registry;

	HandlerRegistryFactory(ConfigurableListableBeanFactory beans, Environment environment, PayloadCodec codec,
			QueueProperties properties) {
		this.beans = beans;
		this.retries = new RetryNotation(beans);
		this.scanner = new JobHandlerScanner(beans, new AnnotatedOptions(environment, this.retries));
		this.types = properties.types();
		this.codec = codec;
		this.payloads = new PayloadChecks(codec);
	}

	/**
	 * Fills the registry.
	 * @throws InvalidJobHandlerException if a handler is invalid
	 */
	@Override
	public void afterSingletonsInstantiated() {
		HandlerRegistry.Builder builder = HandlerRegistry.builder(this.codec);
		List<HandlerScanListener> listeners = this.beans.getBeanProvider(HandlerScanListener.class)
			.orderedStream()
			.toList();
		Map<String, JobHandler> annotations = this.scanner.addHandlersTo(builder, this.codec, listeners);
		for (String name : this.beans.getBeanNamesForType(JobHandlers.Registrar.class)) {
			builder.add(this.beans.getBean(name, JobHandlers.Registrar.class), "bean '" + name + "'");
		}
		this.types.forEach((type, given) -> builder.options(type, options(type, given)));
		HandlerRegistry filled = builder.build();
		this.payloads.check(filled);
		annotations.forEach((type, annotation) -> filled.find(type)
			.ifPresent((handler) -> this.payloads.check(handler, annotation)));
		warnOfTypesWithoutAHandler(filled);
		// an invalid type fails the start
		Map<String, JobType<?>> declared = findJobTypes();
		this.jobTypes = declared;
		logger.debug("Job handlers: {}, declared types: {}", filled, declared.keySet());
		listeners.forEach((listener) -> listener.completed(filled));
		this.registry = filled;
	}

	/**
	 * Finds the type that the application declares with a bean, or with defaults in the
	 * annotation of its handler.
	 * @param name the type of a request
	 * @return the type, or {@code null} if there is none
	 * @throws InvalidJobHandlerException if a type is declared twice
	 */
	@Override
	public @Nullable JobType<?> find(String name) {
		return jobTypes().get(name);
	}

	/** Before all singletons are created, no handler is known. */
	@Override
	public void check(JobRequest request, @Nullable String payload) {
		HandlerRegistry filled = this.registry;
		this.payloads.check(request, payload, (filled != null) ? filled.find(request.type()).orElse(null) : null);
	}

	@Override
	public void check(String type, @Nullable String payload) {
		get().find(type).ifPresent((handler) -> handler.checkPayload(payload));
	}

	/**
	 * Returns how long finished jobs are kept, for the {@link JobType} beans that set it.
	 * @return the times by type
	 */
	public Map<String, Duration> declaredRetentions() {
		Map<String, Duration> retentions = new TreeMap<>();
		jobTypes().forEach((name, type) -> {
			Duration retention = type.retention();
			if (retention != null) {
				retentions.put(name, retention);
			}
		});
		return retentions;
	}

	private Map<String, JobType<?>> jobTypes() {
		Map<String, JobType<?>> known = this.jobTypes;
		return (known != null) ? known : this.earlyJobTypes.get();
	}

	private Map<String, JobType<?>> findJobTypes() {
		Map<String, JobType<?>> types = this.scanner.jobTypes(this.codec);
		for (String bean : this.beans.getBeanNamesForType(JobType.class)) {
			JobType<?> type = this.beans.getBean(bean, JobType.class);
			if (types.putIfAbsent(type.name(), type) != null) {
				throw new InvalidJobHandlerException(
						"bean '" + bean + "'", "declares the type '" + type.name()
								+ "', which another bean or the annotation of its handler" + " declares as well",
						"Keep the defaults of its requests in one of them.");
			}
		}
		this.types.forEach((name, given) -> {
			Duration expiresIn = given.expiresIn();
			if (expiresIn != null) {
				types.put(name, types.getOrDefault(name, JobType.of(name, Object.class)).expiresIn(expiresIn));
			}
		});
		return types;
	}

	private HandlerOptions options(String type, JobTypeProperties given) {
		HandlerOptions options = given.options();
		if (given.retry() == null || given.retry().isBlank()) {
			return options;
		}
		try {
			return options.retry(this.retries.read(given.retry()));
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException(PropertyName.of("rowqueue.types", type) + ".retry",
					given.retry(), "It is invalid: " + ex.getMessage());
		}
	}

	/** Logs options of types without a handler: other processes may share the file. */
	private void warnOfTypesWithoutAHandler(HandlerRegistry filled) {
		Set<String> unknown = new TreeSet<>(this.types.keySet());
		unknown.removeAll(filled.types());
		if (!unknown.isEmpty()) {
			logger.warn("rowqueue.types has options for types without a handler in this application: {}", unknown);
		}
	}

	@Override
	public boolean isTransactional(String type) {
		HandlerRegistry filled = this.registry;
		return filled != null && filled.find(type).filter((handler) -> handler.options().transactional()).isPresent();
	}

	/**
	 * Returns the application's handlers.
	 * @return the same registry at each call
	 * @throws IllegalStateException if it is called while singletons are still created;
	 * call it when the application's lifecycle beans start
	 */
	@Override
	public HandlerRegistry get() {
		HandlerRegistry filled = this.registry;
		if (filled == null) {
			throw new IllegalStateException("Job handlers are not known before all singletons are created");
		}
		return filled;
	}

}
