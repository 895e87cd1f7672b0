package io.rowqueue.engine.enqueue;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

import io.rowqueue.EnqueueResult;
import io.rowqueue.engine.job.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Carries some of the new jobs, which are stored elsewhere than in the table of jobs.
 */
public interface Carriage {

	/** Carries no job. */
	Carriage NONE = new Carriage() {
	};

	/** Returns the name of what carries jobs of a type; empty if nothing does. */
	default Optional<String> carrierOf(String type) {
		return Optional.empty();
	}

	/**
	 * Describes for people what is carried: the types, and how many jobs of each.
	 * @return a sentence that begins with a space, or an empty text
	 */
	default String describe() {
		return "";
	}

	/** Returns whether it carries no new jobs. */
	default boolean isEmpty() {
		return true;
	}

	/** Returns whether it carries a job. */
	default boolean contains(NewJob job) {
		return false;
	}

	/** Returns whether it carries all of them or none. */
	default boolean containsAllOrNone(List<NewJob> jobs) {
		return true;
	}

	/**
	 * Publishes a job at once, outside of any transaction.
	 * @param job a job that it carries
	 * @param committed stores it in a transaction of its own if the publication may have
	 * failed
	 * @return {@code null} if the job must be stored
	 */
	default @Nullable EnqueueResult publish(NewJob job, Consumer<Runnable> committed) {
		return null;
	}

	/**
	 * Rejects to await a job that is carried, since the database does not know when it
	 * ends.
	 * @throws io.rowqueue.JobQueueException if it carries the job
	 */
	default void refuseToAwait(long jobId) {
	}

	/**
	 * Stores jobs, and returns one result for each job, in order.
	 * @param jobs any jobs
	 * @param others stores the jobs that it does not carry
	 */
	default List<EnqueueResult> store(List<NewJob> jobs, Function<List<NewJob>, List<EnqueueResult>> others) {
		return others.apply(jobs);
	}

}
