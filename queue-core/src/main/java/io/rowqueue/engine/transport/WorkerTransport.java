package io.rowqueue.engine.transport;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.rowqueue.engine.attempt.Outcome;
import io.rowqueue.engine.attempt.TypeOptions;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.slot.SlotListener;
import io.rowqueue.engine.wakeup.Arrivals;

/** What a worker does for the message broker that carries some of its jobs, if any. */
public interface WorkerTransport {

	/** No broker. */
	WorkerTransport NONE = new WorkerTransport() {
	};

	/**
	 * Starts to publish and to receive jobs.
	 * @param handled the types that this worker has handlers for
	 * @param options how jobs are run
	 * @param finisher takes the outcomes of jobs
	 */
	default void start(Set<String> handled, TypeOptions options, Finisher finisher) {
	}

	/** Jobs have arrived, maybe in the outbox. Returns at once. */
	default void jobsArrived(Arrivals arrivals) {
	}

	/**
	 * Returns what takes the outcomes of jobs.
	 * @param written takes those that must be written
	 */
	default Consumer<Outcome> finished(Consumer<Outcome> written) {
		return written;
	}

	/**
	 * Returns what is notified of the slots.
	 * @param claims is notified of them as well
	 */
	default SlotListener slots(SlotListener claims) {
		return claims;
	}

	/**
	 * Returns what ensures that the jobs of outcomes are leased in the database before
	 * the outcomes are written, and returns the outcomes to write.
	 */
	default UnaryOperator<List<Outcome>> leased() {
		return UnaryOperator.identity();
	}

	/** The outcomes are committed. */
	default void written(List<Outcome> outcomes) {
	}

	/**
	 * Receives no more jobs, and returns when none can come.
	 * @throws InterruptedException if the calling thread is interrupted
	 */
	default void stopReceiving() throws InterruptedException {
	}

	/**
	 * Leaves the broker, which delivers again what was not acknowledged.
	 * @throws InterruptedException if the calling thread is interrupted
	 */
	default void close() throws InterruptedException {
	}

}
