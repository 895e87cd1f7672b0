package io.rowqueue.autoconfigure.handler;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.rowqueue.JobHandler;
import io.rowqueue.JobRequest;
import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.autoconfigure.handler.PayloadTypes.Unreadable;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.handler.InvalidJobHandlerException;
import io.rowqueue.engine.handler.RegisteredHandler;
import org.jspecify.annotations.Nullable;

/**
 * Finds payloads that no attempt could read: by the types that handlers take, at the
 * start, and by what is enqueued. The first payload of each class is read once by the
 * handler's type; the others are like it.
 */
final class PayloadChecks {

	private final PayloadCodec codec;

	private final PayloadTypes types;

	private final Set<Class<?>> written = ConcurrentHashMap.newKeySet();

	private final Map<String, Set<Class<?>>> read = new ConcurrentHashMap<>();

	PayloadChecks(PayloadCodec codec) {
		this.codec = codec;
		this.types = new PayloadTypes(codec);
	}

	/**
	 * Checks the types that handlers take.
	 * @throws InvalidJobHandlerException if no payload can be read as one of them
	 */
	void check(HandlerRegistry handlers) {
		for (RegisteredHandler handler : handlers.handlers()) {
			@Nullable Unreadable unreadable = (handler.payloadType() != null) ? this.types.unreadable(handler.payloadType())
					: null;
			if (unreadable != null) {
				throw new InvalidJobHandlerException(
						handler.description(), "takes a payload that cannot be read: "
								+ unreadable.type().getRawClass().getTypeName() + " " + unreadable.reason(),
						unreadable.action());
			}
		}
	}

	/**
	 * Checks the properties that an annotation derives keys and tags from.
	 * @throws InvalidJobHandlerException if the payload is a record without one of them
	 */
	void check(RegisteredHandler handler, JobHandler annotation) {
		Stream.concat(Stream.of(annotation.uniqueKey(), annotation.limitKey()), Stream.of(annotation.tags()))
			.filter((text) -> text.indexOf('{') >= 0)
			.forEach((text) -> new KeyTemplate(text, handler.type(), this.codec).properties().forEach((property) -> {
				if (this.types.lacks(handler.payloadType(), property)) {
					throw new InvalidJobHandlerException(handler.description(),
							"derives '%s' from its payload, which has no property '%s'".formatted(text, property),
							"Correct the name in braces in its @JobHandler.");
				}
			}));
	}

	/**
	 * Checks a payload that is about to be stored.
	 * @param handler runs the type in this application; {@code null} if none does
	 * @throws PayloadConversionException if the handler cannot read it, or nothing of it
	 * would be stored
	 */
	void check(JobRequest request, @Nullable String json, @Nullable RegisteredHandler handler) {
		Class<?> payload = (request.payload() != null) ? request.payload().getClass() : Void.class;
		if (!this.written.contains(payload)) {
			if (this.types.isWrittenEmpty(payload)) {
				throw new PayloadConversionException(("The payload of a job of type '%s' would be stored as {}: Jackson"
						+ " sees no property of %s. Make it a record, or add getters")
					.formatted(request.type(), payload.getTypeName()), null);
			}
			this.written.add(payload);
		}
		if (handler != null && !this.read.getOrDefault(request.type(), Set.of()).contains(payload)) {
			try {
				handler.checkPayload(json);
			}
			catch (PayloadConversionException ex) {
				throw new PayloadConversionException("The handler of this application could not read the job, which is"
						+ " not stored: " + ex.getMessage(), ex.getCause());
			}
			this.read.computeIfAbsent(request.type(), (type) -> ConcurrentHashMap.newKeySet()).add(payload);
		}
	}

}
