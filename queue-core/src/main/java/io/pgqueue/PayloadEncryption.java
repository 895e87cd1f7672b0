package io.pgqueue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import org.springframework.util.Assert;

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
 * first key and decrypted with the one that they name. Texts that are not encrypted are
 * read as they are, such as payloads of jobs that were enqueued from SQL or before. Keys,
 * tags, headers, errors and progress are not encrypted. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class PayloadEncryption {

	private static final String CIPHER = "AES/GCM/NoPadding";

	private static final int IV_BYTES = 12;

	private static final int TAG_BITS = 128;

	private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9._-]{1,50}");

	private static final Pattern ENCRYPTED = Pattern
		.compile("\\{\"\\$encrypted\":\"([A-Za-z0-9._-]{1,50})\",\"data\":\"([A-Za-z0-9+/=]+)\"\\}");

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
	 * @return JSON that names the key
	 */
	public String encrypt(String json) {
		byte[] iv = new byte[IV_BYTES];
		RANDOM.nextBytes(iv);
		byte[] text = json.getBytes(StandardCharsets.UTF_8);
		byte[] data = run(Cipher.ENCRYPT_MODE, this.current, iv, text, 0, text.length);
		byte[] stored = ByteBuffer.allocate(IV_BYTES + data.length).put(iv).put(data).array();
		return "{\"$encrypted\":\"" + this.current + "\",\"data\":\"" + Base64.getEncoder().encodeToString(stored)
				+ "\"}";
	}

	/**
	 * Decrypts a text.
	 * @param json what {@link #encrypt} has returned, or a text that is not encrypted
	 * @return the text
	 * @throws PayloadConversionException if the key is missing, or the text was changed
	 * or encrypted with another key of the same id
	 */
	public String decrypt(String json) {
		Matcher encrypted = ENCRYPTED.matcher(json);
		if (!encrypted.matches()) {
			return json;
		}
		byte[] stored = Base64.getDecoder().decode(encrypted.group(2));
		if (stored.length < IV_BYTES) {
			throw new PayloadConversionException("An encrypted payload is truncated", null);
		}
		return new String(
				run(Cipher.DECRYPT_MODE, encrypted.group(1), stored, stored, IV_BYTES, stored.length - IV_BYTES),
				StandardCharsets.UTF_8);
	}

	/** The id of the key is authenticated as well. */
	private byte[] run(int mode, String id, byte[] iv, byte[] text, int from, int length) {
		SecretKeySpec key = this.keys.get(id);
		if (key == null) {
			throw new PayloadConversionException(
					"A payload is encrypted with the key '" + id
							+ "', which this application does not have: add it with PayloadEncryption.readingKey",
					null);
		}
		try {
			Cipher cipher = Cipher.getInstance(CIPHER);
			cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, iv, 0, IV_BYTES));
			cipher.updateAAD(id.getBytes(StandardCharsets.UTF_8));
			return cipher.doFinal(text, from, length);
		}
		catch (GeneralSecurityException ex) {
			throw new PayloadConversionException("A payload cannot be " + ((mode == Cipher.ENCRYPT_MODE) ? "encrypted"
					: "decrypted: it was changed, or the key '" + id + "' is another one than it was"), ex);
		}
	}

	/** Names the keys and does not show them. */
	@Override
	public String toString() {
		return "PayloadEncryption[current=" + this.current + ", keys=" + this.keys.keySet() + "]";
	}

}
