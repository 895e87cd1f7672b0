package io.pgqueue.engine.handler;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.pgqueue.HandlerOptions;
import io.pgqueue.JobHandlers.Registrar;
import io.pgqueue.JobRequest;
import io.pgqueue.PayloadCodec;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of an application, one for each type that it can run. Immutable.
 *
 * @since 0.1.0
 */
public final class HandlerRegistry {

	private final PayloadCodec codec;

	private final Map<String, RegisteredHandler> handlers;

	private final Map<String, HandlerOptions> options;

	private HandlerRegistry(PayloadCodec codec, Map<String, RegisteredHandler> handlers,
			Map<String, HandlerOptions> options) {
		this.codec = codec;
		this.handlers = Map.copyOf(handlers);
		this.options = Map.copyOf(options);
	}

	/**
	 * Starts an empty registry.
	 * @param codec reads the payloads
	 * @return takes the handlers
	 */
	public static Builder builder(PayloadCodec codec) {
		return new Builder(codec);
	}

	/**
	 * What its handlers read payloads with, and write results.
	 * @return the codec
	 */
	public PayloadCodec codec() {
		return this.codec;
	}

	/**
	 * The types that the application can run.
	 * @return an immutable set; empty if there are no handlers
	 */
	public Set<String> types() {
		return this.handlers.keySet();
	}

	/**
	 * All handlers.
	 * @return an immutable collection
	 */
	public Collection<RegisteredHandler> handlers() {
		return this.handlers.values();
	}

	/**
	 * Finds the handler of a type.
	 * @param type the type of a job
	 * @return the handler, if there is one
	 */
	public Optional<RegisteredHandler> find(String type) {
		return Optional.ofNullable(this.handlers.get(type));
	}

	/**
	 * How the jobs of a type are run.
	 * @param type the type of a job
	 * @return the options; what they leave open is for the worker to decide
	 */
	public HandlerOptions options(String type) {
		HandlerOptions given = this.options.getOrDefault(type, HandlerOptions.NONE);
		RegisteredHandler handler = this.handlers.get(type);
		return (handler != null) ? given.orElse(handler.options()) : given;
	}

	@Override
	public String toString() {
		return new TreeMap<>(this.handlers).values().toString();
	}

	/**
	 * Takes the handlers of a registry and refuses those that cannot work.
	 */
	public static final class Builder {

		private final PayloadCodec codec;

		private final Map<String, RegisteredHandler> handlers = new TreeMap<>();

		private final Map<String, HandlerOptions> options = new TreeMap<>();

		private Builder(PayloadCodec codec) {
			this.codec = codec;
		}

		/**
		 * Adds a method of a bean.
		 * @param type the type of the jobs to run
		 * @param method the method
		 * @param options how the jobs are run
		 * @param bean asked for the bean before each run, never before the first
		 * @return this
		 * @throws InvalidJobHandlerException if the type is no valid one or taken, or the
		 * method cannot be a handler
		 */
		public Builder add(String type, HandlerMethod method, HandlerOptions options, Supplier<?> bean) {
			return add(new MethodHandler(type, method, options, this.codec, bean));
		}

		/**
		 * Adds a method of a bean that says nothing of how its jobs are run.
		 * @param type the type of the jobs to run
		 * @param method the method
		 * @param bean asked for the bean before each run, never before the first
		 * @return this
		 * @throws InvalidJobHandlerException if the type is no valid one or taken, or the
		 * method cannot be a handler
		 */
		public Builder add(String type, HandlerMethod method, Supplier<?> bean) {
			return add(type, method, HandlerOptions.NONE, bean);
		}

		/**
		 * Adds the handlers that are registered in code.
		 * @param registrar registers them
		 * @param source names the registrar, for logs and errors
		 * @return this
		 * @throws InvalidJobHandlerException if a type is no valid one or taken
		 */
		public Builder add(Registrar registrar, String source) {
			registrar.register(new CodeHandlers(this, this.codec, source));
			return this;
		}

		/**
		 * Adds a handler.
		 * @param handler the handler
		 * @return this
		 * @throws InvalidJobHandlerException if its type is no valid one or taken
		 */
		public Builder add(RegisteredHandler handler) {
			checkType(handler);
			@Nullable RegisteredHandler other = this.handlers.putIfAbsent(handler.type(), handler);
			if (other != null) {
				throw new InvalidJobHandlerException(handler.description(),
						"is for the type '%s', which has the handler %s already".formatted(handler.type(),
								other.description()),
						"Give one of them another type, or remove it: there is one handler for each type.");
			}
			return this;
		}

		/**
		 * Sets options that outweigh what the handler of a type says itself.
		 * @param type the type; it need not have a handler
		 * @param outweighing the options
		 * @return this
		 */
		public Builder options(String type, HandlerOptions outweighing) {
			this.options.put(type, outweighing);
			return this;
		}

		/**
		 * Finishes the registry.
		 * @return the registry; it does not change when more is added here
		 */
		public HandlerRegistry build() {
			return new HandlerRegistry(this.codec, this.handlers, this.options);
		}

		private static void checkType(RegisteredHandler handler) {
			try {
				JobRequest.of(handler.type());
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidJobHandlerException(handler.description(), "has no valid type: " + ex.getMessage(),
						"Give it the type that its jobs are enqueued with.", ex);
			}
		}

	}

}
