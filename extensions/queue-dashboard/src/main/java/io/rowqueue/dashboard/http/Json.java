package io.rowqueue.dashboard.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes the API's JSON with a mapper of its own, so that the settings of the
 * application's mapper do not change the API.
 */
public final class Json {

	private final JsonMapper mapper = JsonMapper.builder()
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.build();

	<T> T read(byte[] body, Class<T> type) {
		try {
			JsonNode document = this.mapper.readTree(body);
			if (document.isObject()) {
				check("body", document);
				return this.mapper.treeToValue(document, type);
			}
		}
		catch (UnrecognizedPropertyException ex) {
			throw Problem.invalid(String.valueOf(ex.getPropertyName()), "there is no such field");
		}
		catch (JacksonException ex) {
			throw Problem.invalid("body", "must be a JSON object of this resource's fields");
		}
		throw Problem.invalid("body", "must be a JSON object");
	}

	/** What the database cannot store is refused before anything is done. */
	private static void check(String field, JsonNode value) {
		if (value.isString() && !StorableText.is(value.stringValue())) {
			throw Problem.invalid(field, StorableText.REASON);
		}
		if (value.isObject()) {
			value.forEachEntry(Json::check);
		}
		else {
			value.forEach((each) -> check(field, each));
		}
	}

	/** Writes a value. */
	public byte[] write(Object value) {
		return this.mapper.writeValueAsBytes(value);
	}

	/** The tag of an answer: equal as long as nothing but its time has changed. */
	String tag(Object value) {
		Object content = value;
		if (this.mapper.valueToTree(value) instanceof ObjectNode node) {
			node.remove("at");
			content = node;
		}
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(this.mapper.writeValueAsBytes(content));
			return "\"" + HexFormat.of().formatHex(digest, 0, 12) + "\"";
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java has SHA-256", ex);
		}
	}

	/** Returns the text of JSON. */
	public String text(Object value) {
		return new String(write(value), StandardCharsets.UTF_8);
	}

}
