package io.rowqueue.engine.admin;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.rowqueue.JobState;
import io.rowqueue.admin.FlowJobView;
import io.rowqueue.admin.FlowState;
import io.rowqueue.admin.FlowView;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.job.BatchStore;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.flow.BatchProgress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * What people see of flows and batches. All methods throw
 * {@link org.springframework.dao.DataAccessException} when the database refuses or is
 * away.
 */
final class FlowStore {

	private static final String FIND = "select * from {schema}.flows where id = ?";

	private static final String LIST = """
			select flows.* from (
				select id from {schema}.flow where id < ? order by id desc limit ?) f
			join {schema}.flows on flows.id = f.id
			order by f.id desc""";

	private static final String UNFINISHED = """
			select flows.* from (
				(select distinct flow_id as id from {schema}.flow_job where state = 'failed' order by id desc limit ?)
				union
				(select distinct flow_id from {schema}.flow_job where state is null order by flow_id desc limit ?)) f
			join {schema}.flows on flows.id = f.id
			order by flows.failed > 0 desc, f.id desc limit ?""";

	private static final String UNFINISHED_BATCHES = """
			select * from {schema}.batches
			where id in (select id from {schema}.batch where finished_at is null order by created_at limit ?)
			order by created_at""";

	private static final String BATCHES = """
			select batches.* from (
				select id from {schema}.batch where id < ? order by id desc limit ?) b
			join {schema}.batches on batches.id = b.id
			order by b.id desc""";

	private static final String JOBS = """
			select m.name, m.job_id, m.ended_at, m.added_by, m.after, m.before, coalesce(j.state, m.state)::text as state,
				coalesce(j.type, (select f.type from {schema}.job_finished f where f.id = m.job_id limit 1)) as type
			from {schema}.flow_job m
			left join lateral (select state, type from {schema}.job where id = m.job_id limit 1) j on true
			where m.flow_id = ? order by m.job_id limit ?""";

	/** Those that come last go first: nothing fails because of what is cancelled. */
	private static final String TO_CANCEL = """
			select job_id from {schema}.flow_job
			where flow_id = ? and (state is null or state = 'failed') order by job_id desc""";

	/** A job that adds others has locked its row. */
	private static final String AWAIT_ADDITIONS = """
			select job_id from {schema}.flow_job
			where flow_id = ? and state is null
				and exists (select from {schema}.job j where j.id = flow_job.job_id and j.worker_id is not null)
				and (select set_config('lock_timeout', '5s', true)) is not null
			for share""";

	private static final String TO_RETRY = """
			select m.job_id from {schema}.flow_job m
			where m.flow_id = ? and m.state = 'failed'
				and not exists (
					select from {schema}.job_dependency d where d.successor_id = m.job_id and d.when_failed <> 'wake')
			order by m.job_id""";

	private static final String TO_CANCEL_OF_BATCH = """
			select id from {schema}.job
			where batch_id = ? and id > ? and state::text <> 'failed' and not cancel_requested order by id limit ?""";

	private static final Logger logger = LoggerFactory.getLogger(FlowStore.class);

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a transaction of its own
	 */
	FlowStore(QueueDatabase database) {
		this.database = database;
	}

	/** Finds a flow. */
	Optional<FlowView> find(long id) {
		return this.database.first(FIND, (row, index) -> flow(row), id);
	}

	/** The latest flows before an id, at most {@code limit}. */
	List<FlowView> list(long before, int limit) {
		return this.database.query(LIST, (row, index) -> flow(row), before, limit);
	}

	/**
	 * Flows that are not over, at most {@code limit}: failed ones first, the latest
	 * first.
	 */
	List<FlowView> unfinished(int limit) {
		return this.database.query(UNFINISHED, (row, index) -> flow(row), limit, limit, limit);
	}

	/** Batches that are not over, the oldest first, at most {@code limit}. */
	List<BatchProgress> unfinishedBatches(int limit) {
		return this.database.query(UNFINISHED_BATCHES, (row, index) -> BatchStore.progress(row), limit);
	}

	/** The latest batches before an id, at most {@code limit}. */
	List<BatchProgress> batches(long before, int limit) {
		return this.database.query(BATCHES, (row, index) -> BatchStore.progress(row), before, limit);
	}

	/** The jobs of a flow in the order of their ids, at most {@code limit}. */
	List<FlowJobView> jobs(long id, int limit) {
		Map<String, List<String>> placed = new HashMap<>();
		List<FlowJobView> jobs = this.database.query(JOBS, (row, index) -> {
			FlowJobView job = new FlowJobView(row.getString("name"), row.getLong("job_id"), row.getString("type"),
					JobState.of(row.getString("state")), Sql.instant(row, "ended_at"), names(row.getArray("after")),
					row.getObject("added_by", Long.class));
			names(row.getArray("before"))
				.forEach((later) -> placed.computeIfAbsent(later, (key) -> new ArrayList<>()).add(job.name()));
			return job;
		}, id, limit);
		return jobs.stream().map((job) -> job.alsoAfter(placed.getOrDefault(job.name(), List.of()))).toList();
	}

	private static List<String> names(@Nullable Array names) throws SQLException {
		return (names != null) ? List.of((String[]) names.getArray()) : List.of();
	}

	/** The jobs of a flow that can be cancelled, in the order to do that in. */
	List<Long> toCancel(long id) {
		return this.database.query(TO_CANCEL, (row, index) -> row.getLong("job_id"), id);
	}

	/**
	 * Waits for transactions in which running jobs add others to a flow, up to five
	 * seconds: transactional handlers may take long.
	 */
	void awaitAdditions(long id) {
		try {
			this.database.query(AWAIT_ADDITIONS, (row, index) -> row.getLong("job_id"), id);
		}
		catch (DataAccessException ex) {
			if (!Outage.isLocked(ex)) {
				throw ex;
			}
			logger.debug("A job that adds others to flow {} has not ended within five seconds", id, ex);
		}
	}

	/** The jobs of a flow that have failed by themselves. */
	List<Long> toRetry(long id) {
		return this.database.query(TO_RETRY, (row, index) -> row.getLong("job_id"), id);
	}

	/** The jobs of a batch after an id that can be cancelled, at most {@code limit}. */
	List<Long> toCancelOfBatch(long id, long after, int limit) {
		return this.database.query(TO_CANCEL_OF_BATCH, (row, index) -> row.getLong("id"), id, after, limit);
	}

	private static FlowView flow(ResultSet row) throws SQLException {
		return new FlowView(row.getLong("id"), row.getString("name"), FlowState.of(row.getString("state")),
				Sql.time(row, "created_at"), Sql.instant(row, "ended_at"), row.getInt("jobs"), row.getInt("open"),
				row.getInt("succeeded"), row.getInt("failed"), row.getInt("cancelled"));
	}

}
