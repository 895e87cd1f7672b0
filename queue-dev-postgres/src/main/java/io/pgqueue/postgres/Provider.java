package io.pgqueue.postgres;

import java.util.Locale;

/** Where a server comes from. */
enum Provider {

	/** The first of the others that is available. */
	AUTO,

	/** A server that somebody else runs. */
	URL,

	/** A container. */
	DOCKER,

	/** Server binaries from Maven. */
	EMBEDDED;

	static Provider of(String name) {
		for (Provider provider : values()) {
			if (provider.toString().equals(name)) {
				return provider;
			}
		}
		throw new IllegalArgumentException(
				"postgres.provider is '" + name + "', but must be one of auto, url, docker, embedded");
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
