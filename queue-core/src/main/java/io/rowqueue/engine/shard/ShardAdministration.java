package io.rowqueue.engine.shard;

import java.util.function.Supplier;

import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.flow.FlowAdmin;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.window.Windows;

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
