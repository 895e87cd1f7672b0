package io.pgqueue.postgres;

import java.time.Duration;

/** Waiting for another process, which cannot call back. */
final class Pause {

	private Pause() {
	}

	static void shortly() {
		of(Duration.ofMillis(50));
	}

	static void of(Duration duration) {
		try {
			Thread.sleep(duration.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for PostgreSQL", ex);
		}
	}

}
