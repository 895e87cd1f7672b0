package io.pgqueue.postgres;

import java.net.URL;
import java.util.Optional;

/**
 * Chooses the server that a keeper runs. A server for tests is a container if an engine
 * answers; one that keeps its data in a directory comes from the binaries if there are
 * any, because files that a container writes belong to somebody else.
 */
record ServerStarter(ServerSettings settings, Optional<ServerFacts> left) {

	/**
	 * A server and why it is this one.
	 *
	 * @param server the server
	 * @param provider where it came from
	 * @param reason why
	 */
	record Started(Server server, Provider provider, String reason) {

	}

	Started start() {
		Optional<URL> archive = ServerBinaries.archive();
		return switch (this.settings.provider()) {
			case DOCKER -> {
				if (!DockerServer.isAvailable()) {
					throw new IllegalStateException("postgres.provider is docker, but no Docker engine answered");
				}
				yield docker("asked for by postgres.provider");
			}
			case EMBEDDED -> embedded(archive.orElseThrow(
					() -> new IllegalStateException("postgres.provider is embedded, but there are no binaries for "
							+ Platform.current() + " on the class path")),
					"asked for by postgres.provider");
			case URL -> throw new IllegalStateException("A server that is given by its URL has no keeper");
			case AUTO -> choose(archive);
		};
	}

	private Started choose(Optional<URL> archive) {
		if (this.settings.durable() && archive.isPresent()) {
			return embedded(archive.get(), "data stays in a directory");
		}
		if (DockerServer.isAvailable()) {
			return docker("a Docker engine answered");
		}
		return embedded(
				archive.orElseThrow(() -> new IllegalStateException("No PostgreSQL to be had: no -Dpostgres.url was "
						+ "given, no Docker engine answered, and there are no binaries for " + Platform.current())),
				"no Docker engine answered");
	}

	private Started docker(String reason) {
		return new Started(DockerServer.start(this.settings), Provider.DOCKER, reason);
	}

	private Started embedded(URL archive, String reason) {
		return new Started(EmbeddedServer.start(this.settings, archive, this.left), Provider.EMBEDDED, reason);
	}

}
