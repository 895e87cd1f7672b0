package io.pgqueue.engine.shard;

import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.QueueOverview;
import io.pgqueue.flow.FlowAdmin;
import io.pgqueue.limit.JobLimits;
import io.pgqueue.window.Windows;

/**
 * The administration of one shard.
 *
 * @param jobs its jobs and queues
 * @param overview its overview
 * @param flows its flows and batches
 * @param windows its windows
 * @param limits its limits
 */
public record ShardAdministration(JobAdmin jobs, QueueOverview overview, FlowAdmin flows, Windows windows,
		JobLimits limits) {
}
