package io.rowqueue.engine.worker;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.attempt.TypeOptions;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.slot.SlotListener;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.listen.JobListener;

/**
 * What takes part in a worker: gives it jobs that it does not claim, and takes their
 * outcomes.
 */
public interface WorkerPart {

	/** Takes no part. */
	WorkerPart NONE = new WorkerPart() {
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
	default Consumer<AttemptOutcome> finished(Consumer<AttemptOutcome> written) {
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
	default UnaryOperator<List<AttemptOutcome>> leased() {
		return UnaryOperator.identity();
	}

	/** The outcomes are committed. */
	default void written(List<AttemptOutcome> outcomes) {
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

	/** Creates the part of each worker. */
	@FunctionalInterface
	interface Factory {

		/** Creates no part. */
		Factory NONE = (workerId, pools, parts, listener, outage) -> WorkerPart.NONE;

		/**
		 * Rejects handlers whose jobs it cannot give.
		 * @throws io.rowqueue.engine.handler.InvalidJobHandlerException if there is one
		 */
		default void check(HandlerRegistry handlers) {
		}

		/**
		 * Creates the part of one worker.
		 * @param workerId the registered worker
		 * @param pools run its jobs
		 * @param parts what the worker is made of
		 * @param listener notified of the attempts
		 * @param outage notified of failures and successes
		 */
		WorkerPart create(long workerId, Pools pools, WorkerParts parts, JobListener listener, Outage outage);

	}

}
