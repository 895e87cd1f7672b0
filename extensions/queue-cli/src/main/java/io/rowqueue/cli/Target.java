package io.rowqueue.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is paused or resumed. */
final class Target {

	@Option(names = "--queue", required = true, description = "The queue.")
	@Nullable String queue;

	@Option(names = "--type", required = true, description = "The type.")
	@Nullable String type;

	String kind() {
		return (this.queue != null) ? "queue" : "type";
	}

	@Override
	public String toString() {
		return kind() + " '" + ((this.queue != null) ? this.queue : this.type) + "'";
	}

}
