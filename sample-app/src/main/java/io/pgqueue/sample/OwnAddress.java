package io.pgqueue.sample;

import java.net.URI;

import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Where this application answers; known once the web server has its port. */
@Component
public class OwnAddress {

	private final Environment environment;

	OwnAddress(Environment environment) {
		this.environment = environment;
	}

	/**
	 * The URL of a path of this application.
	 * @param path begins with a slash
	 * @return the URL on the loopback interface
	 */
	public URI of(String path) {
		return URI.create("http://127.0.0.1:" + this.environment.getRequiredProperty("local.server.port") + path);
	}

}
