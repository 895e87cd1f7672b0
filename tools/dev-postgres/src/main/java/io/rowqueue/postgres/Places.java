package io.rowqueue.postgres;

import java.nio.file.Path;
import java.util.Map;

/**
 * Where the servers of one user are: in the cache directory of that user, never in a
 * directory that others can create first.
 *
 * @param base the directory of everything that all builds of this user share
 */
record Places(Path base) {

	static Places ofThisUser() {
		return new Places(base(System.getProperty("user.name", ""), System.getProperty("user.home", ""),
				Platform.current(), System.getenv()));
	}

	static Path base(String user, String home, Platform platform, Map<String, String> environment) {
		if (platform.isLinux() && user.equals("root")) {
			return Path.of("/var/cache/rowqueue-postgres");
		}
		String cache = environment.get(platform.isWindows() ? "LOCALAPPDATA" : "XDG_CACHE_HOME");
		if (cache != null && Path.of(cache).isAbsolute()) {
			return Path.of(cache, "rowqueue-postgres");
		}
		if (Path.of(home).isAbsolute()) {
			return Path.of(home, ".cache", "rowqueue-postgres");
		}
		// an account without a home directory, in a container
		return Path.of(System.getProperty("java.io.tmpdir"), "rowqueue-postgres-" + user.replaceAll("[^\\w.-]", "_"));
	}

	Path binaries() {
		return PrivateDirectory.create(create().resolve("binaries"));
	}

	/** Each version has a directory of its own. */
	Path shared() {
		return create().resolve("shared-" + ServerBinaries.unpacked().majorVersion());
	}

	private Path create() {
		return PrivateDirectory.create(this.base);
	}

}
