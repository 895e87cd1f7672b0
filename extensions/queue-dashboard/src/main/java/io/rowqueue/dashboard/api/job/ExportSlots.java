package io.rowqueue.dashboard.api.job;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

import io.rowqueue.dashboard.http.Problem;

/**
 * Bounds exports: two run at once in a process, for ten minutes at most. A slot whose
 * response is never written becomes free by itself.
 */
final class ExportSlots {

	static final int AT_ONCE = 2;

	static final Duration MAX_TIME = Duration.ofMinutes(10);

	/** How long it takes at most until an export begins, or has another page. */
	static final Duration MAX_SILENCE = Duration.ofMinutes(2);

	private static final int SECONDS_WHEN_BUSY = 10;

	private final LongSupplier nanoTime;

	private final Set<Slot> taken = new HashSet<>();

	ExportSlots(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Takes a slot.
	 * @throws io.rowqueue.dashboard.http.ProblemException {@code busy} if none is free
	 */
	synchronized Slot take() {
		long now = this.nanoTime.getAsLong();
		this.taken.removeIf((slot) -> now - slot.heardAt > MAX_SILENCE.toNanos());
		if (this.taken.size() >= AT_ONCE) {
			throw Problem.later(Problem.Kind.BUSY, "Other exports are running.", SECONDS_WHEN_BUSY);
		}
		Slot slot = new Slot(now);
		this.taken.add(slot);
		return slot;
	}

	private synchronized void hear(Slot slot) {
		slot.heardAt = this.nanoTime.getAsLong();
		this.taken.add(slot);
		if (slot.heardAt - slot.takenAt > MAX_TIME.toNanos()) {
			throw new IllegalStateException("An export took longer than " + MAX_TIME.toMinutes() + " minutes");
		}
	}

	private synchronized void free(Slot slot) {
		this.taken.remove(slot);
	}

	/** A slot. */
	final class Slot implements AutoCloseable {

		private final long takenAt;

		private long heardAt;

		private Slot(long now) {
			this.takenAt = now;
			this.heardAt = now;
		}

		/**
		 * Keeps the slot.
		 * @throws IllegalStateException if the export has taken too long
		 */
		void keep() {
			hear(this);
		}

		@Override
		public void close() {
			free(this);
		}

	}

}
