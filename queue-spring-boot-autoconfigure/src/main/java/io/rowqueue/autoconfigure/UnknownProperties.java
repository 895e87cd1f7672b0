package io.rowqueue.autoconfigure;

import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Warns of names that begin like the queue's properties but do not exist: a mistyped
 * property would be ignored silently. They do not prevent the start, since the
 * application may have properties of its own with this prefix. A variable of the system's
 * environment, or a system property, is only reported if it resembles a property of the
 * queue.
 */
public final class UnknownProperties {

	private static final Logger logger = LoggerFactory.getLogger(UnknownProperties.class);

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("rowqueue");

	private final KnownProperties known = new KnownProperties();

	private final TreeMap<String, String> warnings = new TreeMap<>();

	private UnknownProperties(Environment environment) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource names) {
				names.stream().filter(PREFIX::isAncestorOf).forEach((name) -> check(source, name));
			}
		}
	}

	public static void warn(Environment environment) {
		new UnknownProperties(environment).warnings.values().forEach(logger::warn);
	}

	private void check(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		boolean ofTheSystem = isOneOf(source, StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
				StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
		if (this.known.contains(name) || (ofTheSystem && this.known.containsVariable(name))) {
			return;
		}
		Optional<String> meant = this.known.nearest(name);
		if (meant.isPresent() || !ofTheSystem) {
			this.warnings.put(name.toString(), name + origin(source, name) + " is not a property of the queue"
					+ meant.map((other) -> " and has no effect: did you mean " + other + "?").orElse(""));
		}
	}

	private static boolean isOneOf(ConfigurationPropertySource source, String... names) {
		return source.getUnderlyingSource() instanceof PropertySource<?> underlying
				&& Stream.of(names).anyMatch(underlying.getName()::equals);
	}

	private static String origin(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		ConfigurationProperty property = source.getConfigurationProperty(name);
		return (property != null && property.getOrigin() != null) ? " (" + property.getOrigin() + ")" : "";
	}

}
