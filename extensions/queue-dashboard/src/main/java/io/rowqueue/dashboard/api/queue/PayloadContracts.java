package io.rowqueue.dashboard.api.queue;

import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

import io.rowqueue.PayloadCodec;
import io.rowqueue.dashboard.api.queue.TypesApi.PayloadContract;
import io.rowqueue.engine.codec.EncryptingPayloadCodec;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import io.rowqueue.engine.handler.RegisteredHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * What payloads of the handlers of this process look like. The library that derives
 * schemas is loaded when the first of them is asked for, if the application has it.
 */
final class PayloadContracts {

	private static final String LIBRARY = "com.github.victools.jsonschema.module.jackson.JacksonSchemaModule";

	private final Supplier<PayloadCodec> codec;

	private final boolean hasLibrary;

	private final Map<Type, PayloadContract> known = new HashMap<>();

	private @Nullable PayloadSchemas schemas;

	PayloadContracts(Supplier<PayloadCodec> codec, @Nullable ClassLoader classLoader) {
		this.codec = codec;
		this.hasLibrary = ClassUtils.isPresent(LIBRARY, classLoader);
	}

	/** Returns {@code null} if the handler takes no payload. */
	synchronized @Nullable PayloadContract of(RegisteredHandler handler) {
		Type type = handler.payloadType();
		return (type == null || type == Void.class) ? null : this.known.computeIfAbsent(type, this::of);
	}

	private PayloadContract of(Type type) {
		if (!this.hasLibrary) {
			return without(type, "To see the JSON Schema of payloads, add the dependencies"
					+ " com.github.victools:jsonschema-generator and com.github.victools:jsonschema-module-jackson.");
		}
		if (!(EncryptingPayloadCodec.plain(this.codec.get()) instanceof JacksonPayloadCodec jackson)) {
			return without(type, "The PayloadCodec of the application decides how payloads are written.");
		}
		if (this.schemas == null) {
			this.schemas = new PayloadSchemas(jackson.mapper());
		}
		try {
			return new PayloadContract(type.getTypeName(), this.schemas.of(type).toString(), null);
		}
		catch (RuntimeException ex) { // the library and the mapper document none
			return without(type, "No JSON Schema can be derived from it: " + ex.getMessage());
		}
	}

	private static PayloadContract without(Type type, String reason) {
		return new PayloadContract(type.getTypeName(), null, reason);
	}

}
