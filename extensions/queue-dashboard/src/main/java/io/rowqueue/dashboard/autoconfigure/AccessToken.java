package io.rowqueue.dashboard.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.rowqueue.dashboard.DashboardCaller;
import org.jspecify.annotations.Nullable;

/**
 * Opens the dashboard where no role does. Programs send it in a header; a browser gets a
 * cookie for it.
 */
final class AccessToken {

	/** The same in all contexts of the process, also after a restart by devtools. */
	private static final String OF_THIS_PROCESS = random();

	private static final String BEARER = "Bearer ";

	/**
	 * Applications on several ports of a host share its cookies, and must not replace
	 * each other's.
	 */
	private static final String COOKIE = "rowqueue-dashboard";

	private static final Pattern PORT = Pattern.compile(":(\\d{1,5})$");

	private final String value;

	private final boolean random;

	private final String inCookie;

	/**
	 * Creates the rule.
	 * @param fixed the token; {@code null}: that of this process
	 */
	AccessToken(@Nullable String fixed) {
		this.random = fixed == null;
		this.value = (fixed != null) ? fixed : OF_THIS_PROCESS;
		this.inCookie = derived(this.value);
	}

	private static String random() {
		byte[] bytes = new byte[24];
		new SecureRandom().nextBytes(bytes);
		return text(bytes);
	}

	/** Who sees the cookie does not see the token. */
	private static String derived(String token) {
		try {
			Mac mac = Mac.getInstance("HmacSHA256");
			mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), mac.getAlgorithm()));
			return text(mac.doFinal(COOKIE.getBytes(StandardCharsets.UTF_8)));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Every Java has HmacSHA256", ex);
		}
	}

	private static String text(byte[] bytes) {
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
	}

	/** Whether it is only known from the log. */
	boolean isRandom() {
		return this.random;
	}

	String value() {
		return this.value;
	}

	boolean isHeldBy(DashboardCaller caller) {
		String authorization = caller.header("Authorization");
		if (authorization != null && authorization.startsWith(BEARER)
				&& equal(authorization.substring(BEARER.length()), this.value)) {
			return true;
		}
		String cookies = caller.header("Cookie");
		return cookies != null && Arrays.stream(cookies.split(";"))
			.map(String::strip)
			.filter((cookie) -> cookie.startsWith(COOKIE))
			.anyMatch((cookie) -> equal(cookie.substring(cookie.indexOf('=') + 1), this.inCookie));
	}

	/** In a time that does not tell how much is right. */
	private static boolean equal(String sent, String expected) {
		return MessageDigest.isEqual(sent.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Returns the cookie that stands for it. It has no path of its own: a browser takes
	 * that of the page, which may differ from ours behind a proxy.
	 * @param host the header {@code Host} of the request
	 * @param secure whether the request came by HTTPS
	 */
	String cookie(@Nullable String host, boolean secure) {
		Matcher port = PORT.matcher((host != null) ? host : "");
		return COOKIE + (port.find() ? "-" + port.group(1) : "") + "=" + this.inCookie + "; HttpOnly; SameSite=Strict"
				+ (secure ? "; Secure" : "");
	}

}
