package io.rowqueue.engine.codec;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

import io.rowqueue.JobRequest;
import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadConversionException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The unique keys of jobs that are unique by their payload: a hash of the type and the
 * text that PostgreSQL's {@code jsonb} gives for the payload, without trailing zeros of
 * numbers. The function {@code payload_key} derives the same.
 */
public final class PayloadKey {

	/** What {@code numeric} can store: digits before and after the point. */
	private static final int MAX_DIGITS = 131_072;

	private static final int MAX_SCALE = 16_383;

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
		.build();

	/** That of {@code jsonb}. */
	private static final Comparator<byte[]> SHORTEST_FIRST = Comparator.<byte[]>comparingInt((name) -> name.length)
		.thenComparing((one, other) -> Arrays.compareUnsigned(one, other));

	private PayloadKey() {
	}

	/**
	 * Returns the request with its key, if it is unique by its payload.
	 * @param codec writes the payload
	 * @throws PayloadConversionException if the payload is encrypted, cannot be written,
	 * or has a number that PostgreSQL cannot store
	 */
	public static JobRequest derive(JobRequest request, PayloadCodec codec) {
		if (!request.isUniqueByPayload()) {
			return request;
		}
		if (codec instanceof EncryptingPayloadCodec) {
			throw unusable(request.type(), "it is encrypted, and its key would show which payloads are equal: use"
					+ " uniqueKey with an id that may be seen");
		}
		return request.uniqueKey(of(request.type(), codec.write(request.payload(), request.type())));
	}

	static String of(String type, @Nullable String json) {
		StringBuilder text = new StringBuilder(type).append('\n');
		try {
			append(MAPPER.readTree((json != null) ? json : "null"), type, text);
			return "payload:" + HexFormat.of()
				.formatHex(
						MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8)));
		}
		catch (JacksonException ex) {
			throw unusable(type, JacksonReason.ofReading(ex));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void append(JsonNode node, String type, StringBuilder text) {
		if (node.isObject()) {
			appendObject(node, type, text);
		}
		else if (node.isArray()) {
			String separator = "";
			text.append('[');
			for (JsonNode element : node) {
				append(element, type, text.append(separator));
				separator = ", ";
			}
			text.append(']');
		}
		else {
			text.append(node.isNumber() ? number(node.decimalValue(), type) : MAPPER.writeValueAsString(node));
		}
	}

	private static void appendObject(JsonNode node, String type, StringBuilder text) {
		List<byte[]> names = new ArrayList<>();
		node.propertyNames().forEach((name) -> names.add(name.getBytes(StandardCharsets.UTF_8)));
		names.sort(SHORTEST_FIRST);
		String separator = "";
		text.append('{');
		for (byte[] bytes : names) {
			String name = new String(bytes, StandardCharsets.UTF_8);
			text.append(separator).append(MAPPER.writeValueAsString(name)).append(": ");
			append(node.path(name), type, text);
			separator = ", ";
		}
		text.append('}');
	}

	private static String number(BigDecimal number, String type) {
		BigDecimal stripped = number.stripTrailingZeros();
		if (stripped.scale() > MAX_SCALE || (long) stripped.precision() - stripped.scale() > MAX_DIGITS) {
			throw unusable(type, "it contains a number that PostgreSQL cannot store");
		}
		return stripped.toPlainString();
	}

	private static PayloadConversionException unusable(String type, @Nullable String reason) {
		return new PayloadConversionException(
				"A job of type '%s' cannot be unique by its payload: %s".formatted(type, reason), null);
	}

}
