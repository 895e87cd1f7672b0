package io.rowqueue.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

import io.rowqueue.transport.Delivery;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * The records of a partition that this process has received and that are not settled, and
 * those that are settled although one before them is not. One thread receives; any thread
 * settles.
 */
final class PartitionWindow {

	/** The maximum number of records after the oldest one that is not settled. */
	static final int MAX_SPAN = 10_000;

	/**
	 * From this length of the list of settled records, in characters, no more are
	 * received.
	 */
	private static final int LONG_METADATA = 3_000;

	private static final int MIN_RESERVE = 20;

	/** Bits below this offset have been dropped. */
	private long base;

	private final BitSet settled = new BitSet();

	/** Acknowledged, and in no commit yet. */
	private final List<Delivery> unsent = new ArrayList<>();

	/** Acknowledged, and in commits of which none is known to be stored. */
	private final List<Delivery> sent = new ArrayList<>();

	/** The lowest offset that is not settled. */
	private long lowest;

	/** The offset after the last received record. */
	private long next;

	/** Offsets below it may have been delivered by an owner that died. */
	private final long suspectBelow;

	/** Records from this offset on are not delivered before the next commit. */
	private long bound;

	/** The bound of the commit that was sent last. */
	private long reserved;

	private long boundBefore;

	private int started;

	private boolean changed = true;

	private int metadataLength;

	private boolean open = true;

	private boolean revoked;

	PartitionWindow(long committed, CommitMetadata metadata) {
		this.base = committed;
		this.lowest = committed;
		this.next = committed;
		this.settled.or(metadata.settled());
		this.suspectBelow = metadata.orderly() ? committed : metadata.bound();
		this.bound = committed;
		this.boundBefore = committed;
		advance();
	}

	/**
	 * A record has been received.
	 * @return whether it is to be delivered: it was not settled by an earlier owner
	 */
	synchronized boolean receive(long offset) {
		if (offset > this.next) {
			// there are no such records: markers of transactions, or deleted ones
			this.settled.set(index(this.next), index(offset));
		}
		this.next = Math.max(this.next, offset + 1);
		advance();
		return !isSettled(offset);
	}

	/**
	 * Whether a record before this one was received already: the partition has lost its
	 * end, and what is published since then has the offsets of other records.
	 */
	synchronized boolean isBehind(long offset) {
		return offset < this.next;
	}

	/** Whether the record may be delivered before the next commit. */
	synchronized boolean isWithinBound(long offset) {
		return offset < this.bound;
	}

	/** How often the record has been delivered, as far as is known. */
	int count(long offset) {
		return (offset < this.suspectBelow) ? 2 : 1;
	}

	synchronized void deliver() {
		this.started++;
	}

	/**
	 * The job of a delivered record has ended, or rests in the database.
	 * @return whether the broker will know, unless {@link #close()} says otherwise
	 */
	synchronized boolean settle(long offset, Delivery delivery) {
		this.started--;
		if (this.open) {
			this.settled.set(index(offset));
			this.unsent.add(delivery);
			advance();
			this.changed = true;
		}
		notifyAll();
		return this.open;
	}

	/**
	 * The job of a delivered record was not started.
	 * @return whether it can be delivered again by this process
	 */
	synchronized boolean release() {
		this.started--;
		notifyAll();
		return isOwned();
	}

	/** Whether the partition belongs to this process. */
	synchronized boolean isOwned() {
		return this.open && !this.revoked;
	}

	/** Whether no more records are to be received for the time being. */
	synchronized boolean isFull() {
		return this.next - this.lowest >= MAX_SPAN || this.metadataLength > LONG_METADATA;
	}

	/** From now on no job of the partition is started. */
	synchronized void revoke() {
		this.revoked = true;
		this.changed = true;
	}

	/** Waits until no job of the partition runs. */
	synchronized void awaitStarted(Duration patience) throws InterruptedException {
		long end = System.nanoTime() + patience.toNanos();
		long left = patience.toMillis();
		while (this.started > 0 && left > 0) {
			wait(left);
			left = (end - System.nanoTime()) / 1_000_000;
		}
	}

	/**
	 * The partition belongs to another process, and commits are refused.
	 * @return what was acknowledged and may not have been committed
	 */
	synchronized List<Delivery> close() {
		this.open = false;
		notifyAll();
		List<Delivery> uncommitted = new ArrayList<>(this.sent);
		uncommitted.addAll(this.unsent);
		return uncommitted;
	}

	synchronized boolean isChanged() {
		return this.changed;
	}

	/**
	 * Returns what to commit. The records that it reserves may be delivered afterwards.
	 * What an earlier owner may have started and this one has not settled stays in doubt.
	 */
	synchronized OffsetAndMetadata commit() {
		long reserve = Math.max(MIN_RESERVE, Math.min(MAX_SPAN, 2 * (this.next - this.boundBefore)));
		this.reserved = Math.max(this.suspectBelow,
				this.revoked ? this.next : Math.max(this.bound, this.next + reserve));
		boolean orderly = this.revoked && this.started == 0 && this.suspectBelow <= this.lowest;
		this.sent.addAll(this.unsent);
		this.unsent.clear();
		String metadata = new CommitMetadata(orderly, this.reserved,
				this.settled.get(index(this.lowest), Math.max(index(this.lowest), this.settled.length())))
			.encode(this.lowest);
		this.metadataLength = metadata.length();
		this.changed = false;
		return new OffsetAndMetadata(this.lowest, metadata);
	}

	/** What {@link #commit()} returned last has been stored. */
	synchronized void committed() {
		this.boundBefore = this.next;
		this.bound = this.reserved;
		this.sent.clear();
	}

	/** The commit was not stored. */
	synchronized void notCommitted() {
		this.changed = true;
	}

	private boolean isSettled(long offset) {
		return offset < this.lowest || this.settled.get(index(offset));
	}

	private void advance() {
		this.lowest = Math.min(this.base + this.settled.nextClearBit(index(this.lowest)),
				Math.max(this.next, this.lowest));
		int dropped = index(this.lowest);
		if (dropped > MAX_SPAN) {
			BitSet rest = this.settled.get(dropped, Math.max(dropped, this.settled.length()));
			this.settled.clear();
			this.settled.or(rest);
			this.base = this.lowest;
		}
	}

	private int index(long offset) {
		return Math.toIntExact(offset - this.base);
	}

}
