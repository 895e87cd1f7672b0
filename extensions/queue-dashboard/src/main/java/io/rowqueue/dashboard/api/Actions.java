package io.rowqueue.dashboard.api;

import io.rowqueue.admin.WrittenJob;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.dashboard.http.ApiCall;
import org.jspecify.annotations.Nullable;

/** Does what callers ask for, and records who did. */
public interface Actions {

	/**
	 * Does something.
	 * @param action what to do; the caller's level has been checked
	 * @param call the request
	 * @return what was done
	 * @throws io.rowqueue.dashboard.http.ProblemException if it was not
	 */
	Done perform(Action action, ApiCall call);

	/**
	 * Starts a change of all jobs of a filter.
	 * @param body the change and its parameters
	 * @param filter which jobs
	 * @param mostJobs the maximum number of jobs; {@code null}: any number
	 * @param call the request; the caller's level has been checked
	 * @return the id of its record
	 * @throws io.rowqueue.dashboard.http.ProblemException if it was not started
	 */
	long start(ActionBody body, JobFilter filter, @Nullable Long mostJobs, ApiCall call);

	/**
	 * Enqueues a job.
	 * @param job the job
	 * @param reason why
	 * @param call the request; the caller's level has been checked
	 * @return what was done
	 * @throws io.rowqueue.dashboard.http.ProblemException if it was not
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
