package io.rowqueue.dashboard.api.job;

import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

import io.rowqueue.dashboard.http.Problem;
import io.rowqueue.dashboard.http.StreamedContent;

/**
 * Bounds exports: two run at once in a process, for ten minutes at most. A slot whose
 * response is never written becomes free by itself; one that is written has a thread, and
 * is taken until that has ended.
 */
final class ExportSlots {

	static final int AT_ONCE = 2;

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
		this.taken.removeIf((slot) -> !slot.begun && now - slot.takenAt > StreamedContent.MAX_SILENCE.toNanos());
		if (this.taken.size() >= AT_ONCE) {
			throw Problem.later(Problem.Kind.BUSY, "Other exports are running.", SECONDS_WHEN_BUSY);
		}
		Slot slot = new Slot(now);
		this.taken.add(slot);
		return slot;
	}

	private synchronized void begin(Slot slot) {
		if (!this.taken.contains(slot)) {
			throw new IllegalStateException("An export began too late");
		}
		slot.begun = true;
	}

	private synchronized void free(Slot slot) {
		this.taken.remove(slot);
	}

	/** A slot. */
	final class Slot implements AutoCloseable {

		private final long takenAt;

		private boolean begun;

		private Slot(long now) {
			this.takenAt = now;
		}

		/**
		 * Keeps the slot until it is closed.
		 * @throws IllegalStateException if another export may have it
		 */
		void begin() {
			ExportSlots.this.begin(this);
		}

		/**
		 * Checks whether there is time for more.
		 * @throws IllegalStateException if the export has taken too long
		 */
		void check() {
			if (ExportSlots.this.nanoTime.getAsLong() - this.takenAt > StreamedContent.MAX_TIME.toNanos()) {
				throw new IllegalStateException(
						"An export took longer than " + StreamedContent.MAX_TIME.toMinutes() + " minutes");
			}
		}

		@Override
		public void close() {
			free(this);
		}

	}

}
