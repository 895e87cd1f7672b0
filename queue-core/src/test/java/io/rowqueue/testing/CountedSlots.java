package io.rowqueue.testing;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.lease.ReservedSlot;
import org.jspecify.annotations.Nullable;

/** Counts the reservations of slots for as long as they are held. */
final class CountedSlots implements DirectStart.Slots {

	private final DirectStart worker;

	private final Set<ReservedSlot> reserved = ConcurrentHashMap.newKeySet();

	CountedSlots(DirectStart worker) {
		this.worker = worker;
	}

	/** What an enqueue asks for slots. */
	DirectStart directStart() {
		if (this.worker == DirectStart.NONE) {
			return this.worker;
		}
		DirectStart counted = new DirectStart();
		counted.offer(this);
		return counted;
	}

	int reservations() {
		return this.reserved.size();
	}

	@Override
	public @Nullable ReservedSlot reserve(String queue, String type) {
		ReservedSlot slot = this.worker.reserve(queue, type);
		return (slot != null) ? new Counted(slot) : null;
	}

	private final class Counted implements ReservedSlot {

		private final ReservedSlot slot;

		Counted(ReservedSlot slot) {
			this.slot = slot;
			CountedSlots.this.reserved.add(this);
		}

		@Override
		public long workerId() {
			return this.slot.workerId();
		}

		@Override
		public void leased(ClaimedJob job) {
			this.slot.leased(job);
		}

		@Override
		public void start() {
			CountedSlots.this.reserved.remove(this);
			this.slot.start();
		}

		@Override
		public void release() {
			CountedSlots.this.reserved.remove(this);
			this.slot.release();
		}

	}

}
