package io.pgqueue.postgres;

import java.time.Instant;
import java.util.Optional;

/**
 * A keeper's process. The start tells it from a later process with the same id.
 *
 * @param pid process id
 * @param start when the process started
 */
record KeeperId(long pid, Instant start) {

	/** No keeper: the last one is on its way out and another may take over. */
	static final KeeperId NOBODY = new KeeperId(0, Instant.EPOCH);

	static KeeperId of(ProcessHandle process) {
		return new KeeperId(process.pid(), process.info().startInstant().orElse(Instant.EPOCH));
	}

	Optional<ProcessHandle> process() {
		if (equals(NOBODY)) {
			return Optional.empty();
		}
		return ProcessHandle.of(this.pid).filter((process) -> process.isAlive() && of(process).equals(this));
	}

	boolean isAlive() {
		return process().isPresent();
	}

}
