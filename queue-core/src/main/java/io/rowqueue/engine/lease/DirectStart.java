package io.rowqueue.engine.lease;

import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * Connects the enqueues of this process with its worker: a job for which a slot is idle
 * starts right after its commit, without a notification and without a claim. Thread-safe.
 */
public final class DirectStart {

	/** Never offers a slot. */
	public static final DirectStart NONE = new DirectStart(false);

	private final boolean enabled;

	private final AtomicReference<@Nullable Slots> slots = new AtomicReference<>();

	/** Creates one that offers the slots of a worker as soon as there is one. */
	public DirectStart() {
		this(true);
	}

	private DirectStart(boolean enabled) {
		this.enabled = enabled;
	}

	/** Offers the slots of a worker; they replace those of an earlier one. */
	public void offer(Slots offered) {
		if (this.enabled) {
			this.slots.set(offered);
		}
	}

	/** Offers the slots no longer, unless others have replaced them. */
	public void withdraw(Slots offered) {
		this.slots.compareAndSet(offered, null);
	}

	/**
	 * Reserves an idle slot.
	 * @return {@code null} if there is none, or other jobs wait for it
	 */
	public @Nullable ReservedSlot reserve(String queue, String type) {
		Slots offered = this.slots.get();
		return (offered != null) ? offered.reserve(queue, type) : null;
	}

	/** The slots of a worker. */
	@FunctionalInterface
	public interface Slots {

		/**
		 * Reserves an idle slot.
		 * @return {@code null} if there is none, or other jobs wait for it
		 */
		@Nullable ReservedSlot reserve(String queue, String type);

	}

}
