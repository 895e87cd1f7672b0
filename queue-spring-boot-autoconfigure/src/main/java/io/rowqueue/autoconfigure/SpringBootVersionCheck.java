package io.rowqueue.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Rejects a Spring Boot that is too old, before its modules fail beside those of Spring
 * Boot 4 with a misleading message. Uses only what has the same name in Spring Boot 3.
 */
class SpringBootVersionCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

	private static final int OLDEST = 4;

	@Override
	public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
		check(SpringBootVersion.getVersion());
	}

	static void check(@Nullable String version) {
		if (version != null && version.matches("\\d{1,3}\\..*")
				&& Integer.parseInt(version.substring(0, version.indexOf('.'))) < OLDEST) {
			throw new OldSpringBootException(version);
		}
	}

}
