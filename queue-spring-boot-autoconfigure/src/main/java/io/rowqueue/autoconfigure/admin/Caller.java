package io.rowqueue.autoconfigure.admin;

import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.Map;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * The caller of an operation.
 *
 * @param name the name of the principal
 * @param address the address that the request came from; {@code null} if unknown, as over
 * JMX and outside of a servlet container
 */
public record Caller(String name, @Nullable String address) {

	private static final boolean SERVLETS = isPresent("jakarta.servlet.http.HttpServletRequest")
			&& isPresent("org.springframework.web.context.request.ServletRequestAttributes");

	/** An unknown caller, such as one over JMX. */
	public static final Caller UNKNOWN = new Caller("unknown", null);

	/** The sender of the request that this thread handles. */
	public static Caller of(@Nullable Principal principal) {
		return new Caller((principal != null) ? principal.getName() : UNKNOWN.name(),
				SERVLETS ? Servlets.remoteAddress() : null);
	}

	/** The data of an audit event, to which more can be added. */
	Map<String, @Nullable Object> auditData() {
		Map<String, @Nullable Object> data = new LinkedHashMap<>();
		if (this.address != null) {
			data.put("remoteAddress", this.address);
		}
		return data;
	}

	@Override
	public String toString() {
		return (this.address != null) ? this.name + " from " + this.address : this.name;
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, Caller.class.getClassLoader());
	}

	/** A class of its own, because the servlet API may be missing. */
	private static final class Servlets {

		static @Nullable String remoteAddress() {
			if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes) {
				HttpServletRequest request = attributes.getRequest();
				return request.getRemoteAddr();
			}
			return null;
		}

	}

}
