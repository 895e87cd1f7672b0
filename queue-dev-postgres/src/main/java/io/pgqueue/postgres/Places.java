package io.pgqueue.postgres;

import java.nio.file.Path;

/** Where things of all builds of one user are. */
final class Places {

	private Places() {
	}

	private static Path base() {
		String user = System.getProperty("user.name", "").replaceAll("[^\\w.-]", "_");
		return Path.of(System.getProperty("java.io.tmpdir"), "pgqueue-postgres-" + user);
	}

	static Path cache() {
		return base().resolve("binaries");
	}

	static Path shared(String version, Provider provider) {
		return base().resolve("shared-" + version + "-" + provider);
	}

}
