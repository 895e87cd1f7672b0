package io.rowqueue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Encrypts payloads, results and steps with AES-GCM before they are stored. Declared as a
 * bean, it applies to all jobs of the application:
 *
 * <pre class="code">
 * &#64;Bean
 * PayloadEncryption encryption(Secrets secrets) {
 *     return PayloadEncryption.withKey("2026", secrets.key("2026")).readingKey("2025", secrets.key("2025"));
 * }
 * </pre>
 *
 * What is stored names its key, so that keys can be rotated: texts are encrypted with the
 * first key and decrypted with the one that they name. A text is bound to what it is: the
 * payload of one type of jobs cannot be read as that of another one, or as a result,
 * signal or step. Texts that are not encrypted are read as they are, such as payloads of
 * jobs that were enqueued from SQL or before. Keys, tags, headers, errors and progress
 * are not encrypted. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class PayloadEncryption {

	private static final String CIPHER = "AES/GCM/NoPadding";

	private static final int IV_BYTES = 12;

	private static final int TAG_BITS = 128;

	private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9._-]{1,50}");

	/** The format of what is stored, which is authenticated as well. */
	private static final int VERSION = 2;

	private static final String KEY_MEMBER = "$encrypted";

	private static final String VERSION_MEMBER = "v";

	private static final String DATA_MEMBER = "data";

	private static final JsonFactory JSON = new JsonFactory();

	private static final SecureRandom RANDOM = new SecureRandom();

	private final String current;

	private final Map<String, SecretKeySpec> keys;

	private PayloadEncryption(String current, Map<String, SecretKeySpec> keys) {
		this.current = current;
		this.keys = keys;
	}

	/**
	 * Encrypts and decrypts with a key.
	 * @param id names the key in what is stored: at most 50 letters, digits, dots,
	 * hyphens and underscores
	 * @param key the AES key, of 16, 24 or 32 bytes
	 * @return the encryption
	 * @throws IllegalArgumentException if the id or the length of the key is not allowed
	 */
	public static PayloadEncryption withKey(String id, byte[] key) {
		return new PayloadEncryption(id, with(Map.of(), id, key));
	}

	/**
	 * Decrypts with a further key what was encrypted with it.
	 * @param id names the key in what is stored
	 * @param key the AES key, of 16, 24 or 32 bytes
	 * @return a changed copy
	 * @throws IllegalArgumentException if the id or the length of the key is not allowed,
	 * or there is a key with this id
	 */
	public PayloadEncryption readingKey(String id, byte[] key) {
		return new PayloadEncryption(this.current, with(this.keys, id, key));
	}

	private static Map<String, SecretKeySpec> with(Map<String, SecretKeySpec> keys, String id, byte[] key) {
		Assert.isTrue(KEY_ID.matcher(id).matches(),
				() -> "the id of a key must have from 1 to 50 letters, digits, dots, hyphens and underscores, not '"
						+ id + "'");
		Assert.isTrue(key.length == 16 || key.length == 24 || key.length == 32,
				() -> "an AES key has 16, 24 or 32 bytes, and the key '" + id + "' has " + key.length);
		Assert.isTrue(!keys.containsKey(id), () -> "there are two keys with the id '" + id + "'");
		Map<String, SecretKeySpec> all = new LinkedHashMap<>(keys);
		all.put(id, new SecretKeySpec(key, "AES"));
		return Map.copyOf(all);
	}

	/**
	 * Encrypts a text with the current key.
	 * @param json the text
	 * @param context what the text is, such as the type of the job: it can be decrypted
	 * only with the same one
	 * @return JSON that names the key
	 */
	public String encrypt(String json, String context) {
		byte[] iv = new byte[IV_BYTES];
		RANDOM.nextBytes(iv);
		byte[] text = json.getBytes(StandardCharsets.UTF_8);
		byte[] data = run(Cipher.ENCRYPT_MODE, this.current, context, iv, text, 0, text.length);
		byte[] stored = ByteBuffer.allocate(IV_BYTES + data.length).put(iv).put(data).array();
		return "{\"" + KEY_MEMBER + "\":\"" + this.current + "\",\"" + VERSION_MEMBER + "\":" + VERSION + ",\""
				+ DATA_MEMBER + "\":\"" + Base64.getEncoder().encodeToString(stored) + "\"}";
	}

	/**
	 * Decrypts a text.
	 * @param json what {@link #encrypt} has returned, also if it was formatted since, or
	 * a text that is not encrypted: any but an object with the member {@code $encrypted}
	 * @param context what the text is, as it was given to {@link #encrypt}
	 * @return the text
	 * @throws PayloadConversionException if the key is missing, the text was changed, or
	 * it was encrypted with another context or another key of the same id
	 */
	public String decrypt(String json, String context) {
		// the name of a member can be written with escapes
		if (!json.contains("encrypted") && !json.contains("\\u")) {
			return json;
		}
		Map<String, String> members = members(json);
		String id = members.get(KEY_MEMBER);
		if (id == null) {
			return json;
		}
		String data = members.get(DATA_MEMBER);
		if (data == null || members.size() != 3 || !String.valueOf(VERSION).equals(members.get(VERSION_MEMBER))) {
			throw malformed(null);
		}
		byte[] stored = decode(data);
		return new String(run(Cipher.DECRYPT_MODE, id, context, stored, stored, IV_BYTES, stored.length - IV_BYTES),
				StandardCharsets.UTF_8);
	}

	/**
	 * The members of an object; none if the text is not encrypted: broken JSON without
	 * the member is left to whoever reads it.
	 */
	private static Map<String, String> members(String json) {
		Map<String, String> members = new LinkedHashMap<>();
		try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
			if (parser.nextToken() != JsonToken.START_OBJECT) {
				return Map.of();
			}
			while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
				String name = parser.currentName();
				boolean isValue = parser.nextToken().isScalarValue();
				members.put(name, isValue ? parser.getString() : "");
				parser.skipChildren();
			}
			return members;
		}
		catch (JacksonException ex) {
			if (members.containsKey(KEY_MEMBER)) {
				throw malformed(null); // the exception quotes the text
			}
			return Map.of();
		}
	}

	private static byte[] decode(String data) {
		byte[] stored;
		try {
			stored = Base64.getDecoder().decode(data);
		}
		catch (IllegalArgumentException ex) {
			throw malformed(ex);
		}
		if (stored.length < IV_BYTES) {
			throw malformed(null);
		}
		return stored;
	}

	private static PayloadConversionException malformed(@Nullable Throwable cause) {
		return new PayloadConversionException("A payload with the member " + KEY_MEMBER
				+ " is not what PayloadEncryption writes: it was changed, or truncated", cause);
	}

	/** The version, the id of the key and the context are authenticated as well. */
	private byte[] run(int mode, String id, String context, byte[] iv, byte[] text, int from, int length) {
		SecretKeySpec key = this.keys.get(id);
		if (key == null) {
			throw new PayloadConversionException(
					"A payload is encrypted with the key '" + (KEY_ID.matcher(id).matches() ? id : "?")
							+ "', which this application does not have: add it with PayloadEncryption.readingKey",
					null);
		}
		try {
			Cipher cipher = Cipher.getInstance(CIPHER);
			cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, iv, 0, IV_BYTES));
			// no id contains NUL
			cipher.updateAAD((VERSION + "\0" + id + "\0" + context).getBytes(StandardCharsets.UTF_8));
			return cipher.doFinal(text, from, length);
		}
		catch (GeneralSecurityException ex) {
			throw new PayloadConversionException("A payload cannot be " + ((mode == Cipher.ENCRYPT_MODE) ? "encrypted"
					: "decrypted: it was encrypted for another type of jobs or another purpose, it was changed, or the key '"
							+ id + "' is another one than it was"),
					ex);
		}
	}

	/** Names the keys and does not show them. */
	@Override
	public String toString() {
		return "PayloadEncryption[current=" + this.current + ", keys=" + this.keys.keySet() + "]";
	}

}
