package io.rowqueue.monitoring.autoconfigure.figures;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.info.GitProperties;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** The version of the application, for marks of deployments. */
final class ApplicationVersion {

	private static final int MAX_LENGTH = 50;

	private ApplicationVersion() {
	}

	/**
	 * Returns {@code spring.application.version}, which Spring Boot sets from the
	 * manifest of the jar; else the version of the build information; else the commit;
	 * else an empty text.
	 */
	static String of(Environment environment, @Nullable BuildProperties build, @Nullable GitProperties git) {
		String version = environment.getProperty("spring.application.version");
		if (!StringUtils.hasText(version) && build != null) {
			version = build.getVersion();
		}
		if (!StringUtils.hasText(version) && git != null) {
			version = git.getShortCommitId();
		}
		if (!StringUtils.hasText(version)) {
			return "";
		}
		return (version.length() > MAX_LENGTH) ? version.substring(0, MAX_LENGTH) : version;
	}

}
