package io.rowqueue.engine.admin;

import java.util.List;

import io.rowqueue.admin.FailureView;
import io.rowqueue.admin.JobCount;
import io.rowqueue.admin.LaneView;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.RunningView;
import io.rowqueue.admin.WorkerView;
import io.rowqueue.schema.SchemaPart;
import org.jspecify.annotations.Nullable;

/** The default implementation of {@link QueueOverview}. */
public final class DefaultQueueOverview implements QueueOverview {

	private final OverviewStore store;

	/**
	 * Creates the overview.
	 * @param store reads and counts
	 */
	public DefaultQueueOverview(OverviewStore store) {
		this.store = store;
	}

	@Override
	public List<JobCount> jobs() {
		return this.store.count();
	}

	@Override
	public List<WorkerView> workers(int limit) {
		return this.store.workers(Math.min(limit, MAX_WORKERS));
	}

	@Override
	public List<LaneView> lanes(@Nullable String queue, @Nullable String type) {
		return this.store.lanes(queue, type);
	}

	@Override
	public List<RunningView> running(int limit) {
		return this.store.running(limit);
	}

	@Override
	public List<FailureView> failures(int limit) {
		return this.store.failures(limit);
	}

	@Override
	public String libraryVersion() {
		return LibraryVersion.get();
	}

	@Override
	public int installedSchemaVersion() {
		return this.store.schemaVersion();
	}

	@Override
	public int librarySchemaVersion() {
		return SchemaPart.core().newestVersion();
	}

}
