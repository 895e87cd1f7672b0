package io.rowqueue.engine.handler;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobHandlers.Registrar;
import io.rowqueue.JobRequest;
import io.rowqueue.PayloadCodec;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of an application, at most one for each type. Immutable.
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
	 * @param codec reads the payloads and writes the results
	 * @return a builder
	 */
	public static Builder builder(PayloadCodec codec) {
		return new Builder(codec);
	}

	/**
	 * Returns the codec that reads payloads and writes results.
	 * @return the codec
	 */
	public PayloadCodec codec() {
		return this.codec;
	}

	/**
	 * Returns the types with a handler.
	 * @return an immutable set; empty if there are no handlers
	 */
	public Set<String> types() {
		return this.handlers.keySet();
	}

	/**
	 * Returns a registry with some of the handlers.
	 * @param types selects them by type
	 * @return the registry
	 */
	public HandlerRegistry only(Predicate<String> types) {
		Map<String, RegisteredHandler> selected = new TreeMap<>(this.handlers);
		selected.keySet().removeIf(types.negate());
		return new HandlerRegistry(this.codec, selected, this.options);
	}

	/**
	 * Returns all handlers.
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
	 * Returns the options for the jobs of a type.
	 * @param type the type of a job
	 * @return the options; the worker decides about those that are not set
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
	 * Collects and validates the handlers of a registry.
	 */
	public static final class Builder {

		private final PayloadCodec codec;

		private final Map<String, RegisteredHandler> handlers = new TreeMap<>();

		private final Map<String, HandlerOptions> options = new TreeMap<>();

		private Builder(PayloadCodec codec) {
			this.codec = codec;
		}

		/**
		 * Adds the handlers of a registrar.
		 * @param registrar registers the handlers
		 * @param source the name of the registrar, for logs and errors
		 * @return this builder
		 * @throws InvalidJobHandlerException if a type is not valid or already has a
		 * handler
		 */
		public Builder add(Registrar registrar, String source) {
			registrar.register(new CodeHandlers(this, this.codec, source));
			return this;
		}

		/**
		 * Adds a handler.
		 * @param handler the handler
		 * @return this builder
		 * @throws InvalidJobHandlerException if its type is not valid or already has a
		 * handler
		 */
		public Builder add(RegisteredHandler handler) {
			checkType(handler);
			@Nullable RegisteredHandler other = this.handlers.putIfAbsent(handler.type(), handler);
			if (other != null) {
				throw new InvalidJobHandlerException(handler.description(),
						"is for the type '%s', which already has the handler %s".formatted(handler.type(),
								other.description()),
						"Change the type of one of them, or remove it: a type can have one handler.");
			}
			return this;
		}

		/**
		 * Sets options that take precedence over those of the handler.
		 * @param type the type, which need not have a handler
		 * @param overriding the options
		 * @return this builder
		 */
		public Builder options(String type, HandlerOptions overriding) {
			this.options.put(type, overriding);
			return this;
		}

		/**
		 * Creates the registry.
		 * @return the registry, which does not change if handlers are added to this
		 * builder
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
						"Set the type that its jobs are enqueued with.", ex);
			}
		}

	}

}
