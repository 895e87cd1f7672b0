package io.pgqueue.dashboard.api;

import io.pgqueue.admin.JobFilter;
import io.pgqueue.admin.WrittenJob;
import io.pgqueue.dashboard.http.ApiCall;
import org.jspecify.annotations.Nullable;

/** Does what callers ask for, and records who did. */
public interface Actions {

	/**
	 * Does something.
	 * @param action what to do; the caller's level has been checked
	 * @param call the request
	 * @return what was done
	 * @throws io.pgqueue.dashboard.http.ProblemException if it was not
	 */
	Done perform(Action action, ApiCall call);

	/**
	 * Starts a change of all jobs of a filter.
	 * @param body the change and its parameters
	 * @param filter which jobs
	 * @param mostJobs the maximum number of jobs; {@code null}: any number
	 * @param call the request; the caller's level has been checked
	 * @return the id of its record
	 * @throws io.pgqueue.dashboard.http.ProblemException if it was not started
	 */
	long start(ActionBody body, JobFilter filter, @Nullable Long mostJobs, ApiCall call);

	/**
	 * Enqueues a job.
	 * @param job the job
	 * @param reason why
	 * @param call the request; the caller's level has been checked
	 * @return what was done
	 * @throws io.pgqueue.dashboard.http.ProblemException if it was not
	 */
	Done enqueue(WrittenJob job, @Nullable String reason, ApiCall call);

	/**
	 * What to do.
	 *
	 * @param kind such as {@code queues}
	 * @param name the name or id
	 * @param body the action and its parameters
	 */
	record Action(String kind, String name, ActionBody body) {

	}

	/**
	 * The body of a request that changes something.
	 *
	 * @param action what to do
	 * @param reason why
	 * @param delayMs how long from now a job is due
	 * @param priority the new priority of a job
	 * @param step the recorded step that a retried job repeats first
	 * @param limit the limit as people write it
	 * @param slots the slots of a worker as people write them
	 * @param revision the revision of the job that the caller has seen
	 * @param payload the payload of a job or a signal as JSON
	 * @param from the earliest due time of a backfill
	 * @param until the end of its due times
	 * @param again whether due times whose jobs have finished are included
	 * @param signal the name of a signal
	 * @param weight the weight of a fairness key
	 */
	record ActionBody(@Nullable String action, @Nullable String reason, @Nullable Long delayMs,
			@Nullable Integer priority, @Nullable String step, @Nullable String limit, @Nullable String slots,
			@Nullable String revision, @Nullable String payload, @Nullable String from, @Nullable String until,
			@Nullable Boolean again, @Nullable String signal, @Nullable Integer weight) {

		/** The action; empty if none was given. */
		public String word() {
			return (this.action != null) ? this.action : "";
		}

	}

	/**
	 * What was done.
	 *
	 * @param outcome one word
	 * @param message a sentence
	 * @param affected how many jobs it concerned, if it could be any number
	 * @param job the job that it has enqueued
	 * @param operation its row in the audit, if there is one
	 */
	record Done(String outcome, String message, @Nullable Integer affected, @Nullable Long job,
			@Nullable Long operation) {

	}

}
