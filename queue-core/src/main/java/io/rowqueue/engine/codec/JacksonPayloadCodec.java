package io.rowqueue.engine.codec;

import java.lang.reflect.Type;
import java.util.Optional;

import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadConversionException;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * The {@link PayloadCodec} for Jackson. A {@code String} becomes a JSON string, a
 * {@code JsonNode} is written as it is, and all other objects are mapped as the mapper is
 * configured.
 *
 * @since 0.1.0
 */
public final class JacksonPayloadCodec implements PayloadCodec {

	private final JsonMapper mapper;

	private final TypeIds typeIds;

	/**
	 * Creates the codec.
	 * @param mapper the mapper; after a change of the configuration it must still be able
	 * to read the payloads of waiting jobs
	 */
	public JacksonPayloadCodec(JsonMapper mapper) {
		Assert.notNull(mapper, "mapper must not be null");
		this.mapper = mapper;
		this.typeIds = new TypeIds(mapper);
	}

	/** Returns the codec of an application that configures nothing of Jackson. */
	public static JacksonPayloadCodec ofDefaults() {
		return new JacksonPayloadCodec(JsonMapper.shared());
	}

	/**
	 * Returns the mapper that reads and writes payloads.
	 * @return the mapper
	 */
	public JsonMapper mapper() {
		return this.mapper;
	}

	@Override
	public @Nullable String write(@Nullable Object payload, String jobType) {
		if (payload == null) {
			return null;
		}
		try {
			return this.mapper.writeValueAsString(this.typeIds.addTo(payload));
		}
		catch (JacksonException ex) {
			throw unwritable(payload, jobType, JacksonReason.ofWriting(ex), ex);
		}
		catch (TypeIds.LostException ex) {
			throw unwritable(payload, jobType, ex.getMessage(), null);
		}
	}

	@Override
	public @Nullable String write(@Nullable Object value, Type declared, String jobType) {
		JavaType type = (value != null) ? this.typeIds.typeOf(value, declared) : null;
		if (value == null || type == null) {
			return write(value, jobType);
		}
		try {
			return this.mapper.writerFor(type).writeValueAsString(value);
		}
		catch (JacksonException ex) {
			throw unwritable(value, jobType, JacksonReason.ofWriting(ex), ex);
		}
	}

	private static PayloadConversionException unwritable(Object payload, String jobType, @Nullable String reason,
			@Nullable Exception cause) {
		return new PayloadConversionException("The payload of a job of type '%s' cannot be written as JSON: %s: %s"
			.formatted(jobType, payload.getClass().getTypeName(), reason), cause);
	}

	@Override
	public @Nullable Object read(@Nullable String json, Type target, String jobType) {
		try {
			JavaType type = this.mapper.constructType(target);
			return (json != null) ? read(json, this.mapper.readerFor(type)) : absent(type, target, jobType);
		}
		catch (JacksonException ex) {
			// the exception is not the cause, since its message quotes the payload
			throw new PayloadConversionException("The payload of a job of type '%s' cannot be read as %s: %s".formatted(
					jobType, target.getTypeName(), JacksonReason.ofReading(ex)), JacksonReason.applicationErrorOf(ex));
		}
	}

	private static @Nullable Object read(String json, ObjectReader reader) {
		if (!FiniteNumbers.areInDoubt(json)) {
			return reader.readValue(json);
		}
		try (JsonParser parser = new FiniteNumbers(reader.createParser(json))) {
			return reader.readValue(parser);
		}
	}

	private @Nullable Object absent(JavaType javaType, Type target, String jobType) {
		if (javaType.isPrimitive()) {
			throw new PayloadConversionException(
					"A job of type '%s' has no payload, but its handler takes the primitive type %s".formatted(jobType,
							target.getTypeName()),
					null);
		}
		return javaType.hasRawClass(Optional.class) ? Optional.empty() : null;
	}

}
