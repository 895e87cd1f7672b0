package io.pgqueue.postgres;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * Every server has a password of its own: any user of this machine can connect to its
 * port, and a superuser of PostgreSQL runs programs as the user who started it.
 */
final class Passwords {

	private Passwords() {
	}

	static String random() {
		byte[] bytes = new byte[24];
		new SecureRandom().nextBytes(bytes);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
	}

}
