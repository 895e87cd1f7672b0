package io.rowqueue.dashboard.api;

import java.util.Optional;
import java.util.function.Supplier;

import io.rowqueue.admin.BoundedCount;
import io.rowqueue.admin.FlowAdmin;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.JobFilterBuilder;
import io.rowqueue.admin.filter.JobListState;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.engine.job.BatchStore;
import io.rowqueue.engine.measure.HorizonStore;
import io.rowqueue.engine.measure.Measurement;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.window.Windows;

/**
 * What reads the queue, over the dashboard's own connections. Nothing is changed by it.
 *
 * @param search jobs
 * @param operations what people did
 * @param overview workers, lanes and failures
 * @param jobs pauses, and types without a handler
 * @param flows flows and open batches
 * @param batches batches
 * @param limits limits
 * @param schedules recurring jobs
 * @param windows windows
 * @param measurements what was measured last
 * @param horizon who keeps dead rows from being removed
 * @param figures figures over time
 */
public record QueueReaders(JobSearch search, Operations operations, QueueOverview overview, JobAdmin jobs,
		FlowAdmin flows, BatchStore batches, JobLimits limits, Schedules schedules, Windows windows,
		Supplier<Optional<Measurement>> measurements, HorizonStore horizon, FigureReaders figures) {

	/** Whether as many failed jobs can be retried as only an administrator may. */
	public boolean areManyFailed(JobFilterBuilder jobs) {
		BoundedCount failed = Reads.checked(() -> search().count(jobs.state(JobListState.FAILED).build()));
		return !failed.exact() || failed.value() > JobSearch.MAX_COUNT;
	}

}
