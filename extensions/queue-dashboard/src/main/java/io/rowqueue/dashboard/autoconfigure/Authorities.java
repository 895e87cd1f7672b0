package io.rowqueue.dashboard.autoconfigure;

import java.security.Principal;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.util.ClassUtils;

/** What Spring Security knows about a principal, where it is on the class path. */
final class Authorities {

	private static final boolean PRESENT = ClassUtils.isPresent("org.springframework.security.core.Authentication",
			Authorities.class.getClassLoader());

	private static final String PREFIX = "ROLE_";

	private Authorities() {
	}

	static boolean has(@Nullable Principal principal, String role) {
		return PRESENT && principal != null && Security.has(principal, role);
	}

	/** The name of a principal who has signed in. */
	static @Nullable String name(@Nullable Principal principal) {
		return (principal == null || (PRESENT && Security.isAnonymous(principal))) ? null : principal.getName();
	}

	/** Apart: its classes may be missing. */
	private static final class Security {

		static boolean has(Principal principal, String role) {
			return principal instanceof Authentication authentication && authentication.isAuthenticated()
					&& authentication.getAuthorities()
						.stream()
						.anyMatch((each) -> role.equals(each.getAuthority())
								|| (PREFIX + role).equals(each.getAuthority()));
		}

		static boolean isAnonymous(Principal principal) {
			return principal instanceof AnonymousAuthenticationToken
					|| (principal instanceof Authentication authentication && !authentication.isAuthenticated());
		}

	}

}
