package io.rowqueue.shard;

import io.rowqueue.admin.FlowAdmin;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.window.Windows;

/**
 * The administration of one shard: all of it reads and changes that shard only.
 *
 * @param jobs administrates its jobs, queues, types and workers
 * @param editor changes payloads of its jobs
 * @param search searches its jobs
 * @param overview its overview
 * @param flows its flows and batches
 * @param limits its limits
 * @param windows its windows
 * @param operations its recorded operations, and those on many of its jobs
 * @since 0.1.0
 * @see Shards#admin(String)
 */
public record ShardAdmin(JobAdmin jobs, JobEditor editor, JobSearch search, QueueOverview overview, FlowAdmin flows,
		JobLimits limits, Windows windows, Operations operations) {

}
