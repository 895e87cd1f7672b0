package io.pgqueue.dashboard.api;

import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.JobSearch;
import io.pgqueue.admin.QueueOverview;
import io.pgqueue.admin.operation.Operations;
import io.pgqueue.engine.flow.BatchStore;
import io.pgqueue.engine.measure.HorizonStore;
import io.pgqueue.engine.measure.MeasurementStore;
import io.pgqueue.flow.FlowAdmin;
import io.pgqueue.limit.JobLimits;
import io.pgqueue.schedule.Schedules;
import io.pgqueue.window.Windows;

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
		MeasurementStore measurements, HorizonStore horizon, FigureReaders figures) {

}
