package io.pgqueue.engine.shard;

import java.util.function.Supplier;

import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.JobEditor;
import io.pgqueue.admin.JobSearch;
import io.pgqueue.admin.QueueOverview;
import io.pgqueue.admin.operation.Operations;
import io.pgqueue.flow.FlowAdmin;
import io.pgqueue.limit.JobLimits;
import io.pgqueue.window.Windows;

/**
 * The administration of one shard.
 *
 * @param jobs its jobs and queues
 * @param editor changes payloads of its jobs
 * @param overview its overview
 * @param flowAdmin returns its flows and batches; called on first use, because those of
 * the home shard use the administration of the jobs of all shards
 * @param windows its windows
 * @param limits its limits
 * @param search searches its jobs
 * @param operations its recorded operations
 */
public record ShardAdministration(JobAdmin jobs, JobEditor editor, QueueOverview overview,
		Supplier<FlowAdmin> flowAdmin, Windows windows, JobLimits limits, JobSearch search, Operations operations) {

	FlowAdmin flows() {
		return this.flowAdmin.get();
	}

}
