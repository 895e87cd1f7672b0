package io.rowqueue.sample;

import java.net.URI;

import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** The address of this application, which is known when the web server has started. */
@Component
public class OwnAddress {

	private final Environment environment;

	OwnAddress(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Returns the URL of a path of this application.
	 * @param path the path, beginning with a slash
	 * @return the URL on the loopback interface
	 */
	public URI of(String path) {
		return URI.create("http://127.0.0.1:" + this.environment.getRequiredProperty("local.server.port") + path);
	}

}
