package io.rowqueue.sample.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs and verifies webhooks according to
 * <a href="https://www.standardwebhooks.com">Standard Webhooks</a>: HMAC-SHA256 over id,
 * timestamp and body. The signed timestamp prevents that a recorded webhook is sent again
 * later.
 */
public final class WebhookSignature {

	private static final String PREFIX = "whsec_";

	private static final String VERSION = "v1,";

	private static final Duration TOLERANCE = Duration.ofMinutes(5);

	private final SecretKeySpec key;

	private WebhookSignature(SecretKeySpec key) {
		this.key = key;
	}

	/**
	 * Creates signatures with a secret.
	 * @param secret {@code whsec_} and a key in Base64
	 * @return signatures
	 * @throws IllegalArgumentException if the secret is invalid
	 */
	public static WebhookSignature ofSecret(String secret) {
		if (!secret.startsWith(PREFIX)) {
			throw new IllegalArgumentException("The secret of webhooks must begin with " + PREFIX);
		}
		byte[] key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
		return new WebhookSignature(new SecretKeySpec(key, "HmacSHA256"));
	}

	/**
	 * Signs a webhook.
	 * @param id the same for every attempt to deliver it
	 * @param timestamp seconds since 1970 as text, of this attempt
	 * @param body what is sent
	 * @return value of the header {@code Webhook-Signature}
	 */
	public String sign(String id, String timestamp, byte[] body) {
		try {
			Mac mac = Mac.getInstance("HmacSHA256");
			mac.init(this.key);
			mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
			return VERSION + Base64.getEncoder().encodeToString(mac.doFinal(body));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Every Java platform has HmacSHA256", ex);
		}
	}

	/**
	 * Returns whether a webhook was signed with the secret, and recently.
	 * @param id value of the header {@code Webhook-Id}
	 * @param timestamp value of the header {@code Webhook-Timestamp}
	 * @param signatures value of the header {@code Webhook-Signature}: one or, while a
	 * secret is being replaced, several, separated by spaces
	 * @param body the received body, byte for byte
	 * @param now the current time of the receiver
	 * @return whether to trust it
	 */
	public boolean verify(String id, String timestamp, String signatures, byte[] body, Instant now) {
		if (!timestamp.matches("\\d{1,12}")) {
			return false;
		}
		Duration age = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), now);
		if (age.abs().compareTo(TOLERANCE) > 0) {
			return false;
		}
		byte[] expected = sign(id, timestamp, body).getBytes(StandardCharsets.UTF_8);
		boolean verified = false;
		for (String signature : signatures.split(" ", -1)) {
			verified |= MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.UTF_8));
		}
		return verified;
	}

}
