package io.pgqueue.dashboard.autoconfigure;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Finds out whether the server takes the address of a client and the name of the host
 * from headers, which a client can send as well.
 */
final class ForwardedHeaders {

	private static final String STRATEGY = "server.forward-headers-strategy";

	private static final String[] FILTERS = { "org.springframework.web.filter.ForwardedHeaderFilter",
			"org.springframework.web.server.adapter.ForwardedHeaderTransformer" };

	private static final String[] TOMCAT = { "server.tomcat.remoteip.remote-ip-header",
			"server.tomcat.remoteip.protocol-header" };

	private ForwardedHeaders() {
	}

	static boolean areUsed(Environment environment, ListableBeanFactory beans) {
		String strategy = environment.getProperty(STRATEGY);
		if (StringUtils.hasText(strategy)) {
			if (!strategy.equalsIgnoreCase("none")) {
				return true;
			}
		}
		else {
			CloudPlatform platform = CloudPlatform.getActive(environment);
			if (platform != null && platform.isUsingForwardHeaders()) {
				return true;
			}
		}
		for (String property : TOMCAT) {
			if (StringUtils.hasText(environment.getProperty(property))) {
				return true;
			}
		}
		for (String filter : FILTERS) {
			ClassLoader classLoader = ForwardedHeaders.class.getClassLoader();
			if (ClassUtils.isPresent(filter, classLoader) && beans
				.getBeanNamesForType(ClassUtils.resolveClassName(filter, classLoader), true, false).length > 0) {
				return true;
			}
		}
		return false;
	}

}
