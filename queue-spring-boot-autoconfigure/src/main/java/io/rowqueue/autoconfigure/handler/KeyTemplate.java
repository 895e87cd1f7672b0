package io.rowqueue.autoconfigure.handler;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rowqueue.PayloadCodec;
import io.rowqueue.engine.codec.EncryptingPayloadCodec;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Derives a key from the JSON of a payload: <code>customer:{customerId}</code> becomes
 * {@code customer:42} for a payload whose property {@code customerId} is 42. A name with
 * dots refers to nested objects.
 */
final class KeyTemplate {

	private static final Pattern FIELD = Pattern.compile("\\{([^{}]*)}");

	/** Decimals keep the digits that the payload has. */
	private static final JsonMapper MAPPER = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
		.build();

	private final String template;

	private final String type;

	private final PayloadCodec codec;

	/**
	 * Creates the template.
	 * @param template the text, with the names of properties in braces
	 * @param type the type of the jobs, for error messages
	 * @param codec writes the payloads
	 * @throws IllegalArgumentException if the text has no property in braces, or an
	 * unbalanced brace
	 */
	KeyTemplate(String template, String type, PayloadCodec codec) {
		this.template = template;
		this.type = type;
		this.codec = EncryptingPayloadCodec.plain(codec);
		Matcher fields = FIELD.matcher(template);
		Assert.isTrue(fields.find(), () -> "'" + template
				+ "' names no property of the payload in braces: all jobs would have the same key");
		String rest = FIELD.matcher(template).replaceAll("");
		Assert.isTrue(rest.indexOf('{') < 0 && rest.indexOf('}') < 0,
				() -> "'" + template + "' has a brace without its other half");
	}

	/** The properties that the text names, with dots if they lead into nested objects. */
	List<String> properties() {
		return FIELD.matcher(this.template).results().map((field) -> field.group(1)).toList();
	}

	/**
	 * Returns the key of a payload.
	 * @param payload the payload
	 * @return the key
	 * @throws IllegalArgumentException if the payload has no such property, or its value
	 * is not a text, number or boolean; the message does not quote the payload
	 */
	String of(@Nullable Object payload) {
		String json = this.codec.write(payload, this.type);
		JsonNode root = (json != null) ? MAPPER.readTree(json) : null;
		return FIELD.matcher(this.template)
			.replaceAll((field) -> Matcher.quoteReplacement(value(root, field.group(1))));
	}

	private String value(@Nullable JsonNode root, String path) {
		JsonNode node = root;
		for (String name : path.split("\\.", -1)) {
			node = (node != null) ? node.get(name) : null;
		}
		if (node == null || !node.isValueNode() || node.isNull()) {
			throw new IllegalArgumentException(
					("The key '%s' of jobs of the type '%s' needs a text, number or boolean '%s' in the payload,"
							+ " which has none")
						.formatted(this.template, this.type, path));
		}
		return node.asString();
	}

}
