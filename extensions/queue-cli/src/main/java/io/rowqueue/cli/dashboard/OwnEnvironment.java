package io.rowqueue.cli.dashboard;

import java.util.Map;

import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.web.context.support.StandardServletEnvironment;

/**
 * Has the given properties only. What is set in the terminal is meant for applications,
 * and could switch on what writes.
 */
final class OwnEnvironment extends StandardServletEnvironment {

	OwnEnvironment(Map<String, Object> properties) {
		getPropertySources().addFirst(new MapPropertySource("rowqueue", properties));
		ConfigurationPropertySources.attach(this);
	}

	@Override
	protected void customizePropertySources(MutablePropertySources sources) {
		// neither the environment of the process nor system properties
	}

}
