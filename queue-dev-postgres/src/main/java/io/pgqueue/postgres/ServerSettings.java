package io.pgqueue.postgres;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a keeper is asked to run.
 *
 * @param home directory of everything that belongs to the server
 * @param durable whether data outlives the server and a power cut
 * @param provider where the server comes from
 * @param version major version, for an image
 * @param linger how long the server stays when nobody uses it
 */
record ServerSettings(Path home, boolean durable, Provider provider, String version, Linger linger) {

	List<String> toArguments() {
		return List.of(this.home.toString(), Boolean.toString(this.durable), this.provider.toString(), this.version,
				this.linger.beforeFirst().toString(), this.linger.afterLast().toString());
	}

	static ServerSettings ofArguments(List<String> arguments) {
		return new ServerSettings(Path.of(arguments.get(0)), Boolean.parseBoolean(arguments.get(1)),
				Provider.of(arguments.get(2)), arguments.get(3),
				new Linger(Duration.parse(arguments.get(4)), Duration.parse(arguments.get(5))));
	}

	Path data() {
		return this.home.resolve("data");
	}

}
