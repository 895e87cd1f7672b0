package io.rowqueue.engine.explain;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.rowqueue.control.Pause;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.explain.JobFacts.Facts;
import io.rowqueue.engine.explain.LaneFactsStatement.Lane;
import io.rowqueue.engine.explain.LaneFactsStatement.LaneFacts;
import io.rowqueue.engine.job.JobStore;

/**
 * Reads the facts about some jobs of a list: those of each job by one statement, and
 * those that jobs share, which are facts of their lanes, limits and keys. The number of
 * statements does not depend on the number of jobs. What only a count for each job or a
 * look at its lock would show is left out: how many jobs are ahead, and who has locked
 * the row.
 */
public final class ExplainAllStatement {

	private static final String JOBS = """
			with clock as materialized (select clock_timestamp() as now)
			select clock.now, pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as read_only,
				job.*, %s as most_attempts,
				holder.name as holder_name, holder.id is null or holder.dead_at is not null as holder_dead,
				greatest(extract(epoch from clock.now - holder.heartbeat_at - holder.idle_interval), 0) as holder_silence,
				key_holder.id as key_holder, key_holder.state as key_holder_state,
				(select extract(epoch from clock.now - next_run_at) from {schema}.maintenance_task where name = 'promote')
					as promote_late,
				exists (select from {schema}.job_failure f where f.job_id = job.id and f.leased_at = job.leased_at) as retrying,
				job.state = 'queued' and exists (
					select from {schema}.job j
					where j.indexed_state = 'queued' and {unclaimed} and j.queue = job.queue and j.type = job.type
						and j.priority = job.priority and (j.order_at, j.id) < (job.order_at, job.id)) as behind,
				key_hold.name as held_key, key_hold.paused_at as key_held_at, key_hold.reason as key_reason,
				key_hold.open_from as key_held_until, awaited.*, wait.*
			from clock cross join unnest(?::bigint[]) as asked (id)
			cross join lateral (
				select id, queue, type, state::text as state, priority, attempt, max_attempts, run_at, order_at, created_at, leased_at,
					lease, null::timestamptz as finished_at, worker_id, cancel_requested, unique_key, last_error, limit_key
				from {schema}.job where id = asked.id
				union all
				select id, queue, type, 'follow_up', priority, 0, max_attempts, run_at, run_at, created_at, null, 0, null, null, false,
					unique_key, null, null
				from {schema}.job_follow_up where id = asked.id
				union all
				select id, queue, type, state::text, priority, attempt, max_attempts, run_at, run_at, created_at, leased_at, 0, finished_at,
					worker_id, false, unique_key, last_error, null
				from {schema}.job_finished where id = asked.id
				limit 1) job
			left join {schema}.worker holder on holder.id = job.worker_id
			left join lateral (
				select other.id, other.state::text as state from {schema}.job other
				where job.state = 'follow_up' and other.unique_key = job.unique_key and other.indexed_state <> 'failed'
				limit 1) key_holder on true
			left join lateral (
				select p.name, p.paused_at, p.reason, p.open_from
				from {schema}.pause p where p.kind = 'key' and p.name = job.limit_key and {closed}
				order by p.open_from desc limit 1) key_hold on true
			"""
		.formatted(JobStore.MAX_ATTEMPTS_OF_ROW.formatted("job")) + ExplainStatement.AWAITED;

	private final QueueDatabase database;

	/**
	 * Creates the statement.
	 * @param database runs each statement in a transaction of its own
	 */
	public ExplainAllStatement(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Reads the facts.
	 * @param ids the jobs
	 * @return the facts by the id of the job; a job that does not exist has none
	 */
	public Map<Long, ExplainedJob> execute(Collection<Long> ids) {
		List<Row> rows = this.database.query(JOBS, (row, index) -> row(row), (Object) ids.toArray(Long[]::new));
		List<Lane> lanes = rows.stream().map(Row::lane).distinct().toList();
		LaneFacts facts = new LaneFactsStatement(this.database).execute(lanes);
		Map<Long, List<LimitFacts>> keys = new LimitFactsStatement(this.database)
			.ofKeys(rows.stream().map((row) -> row.job().id()).toArray(Long[]::new));
		Map<Long, ExplainedJob> jobs = new LinkedHashMap<>();
		rows.forEach((row) -> jobs.put(row.job().id(), explained(row, facts, keys)));
		return jobs;
	}

	private static ExplainedJob explained(Row row, LaneFacts facts, Map<Long, List<LimitFacts>> keys) {
		List<LimitFacts> limits = new ArrayList<>();
		if (row.job().state().equals("queued")) {
			limits.addAll(facts.limits(row.lane()));
		}
		limits.addAll(keys.getOrDefault(row.job().id(), List.of()));
		JobFacts known = row.facts();
		return new ExplainedJob(new JobFacts(known.now(), known.readOnly(), known.job(), known.holder(),
				known.keyHolder(), facts.pauses(row.lane()), known.promoteLate(), known.retrying(), facts.living(),
				facts.ofType(row.lane()), facts.candidates(row.lane()), known.ahead(), null, known.awaited(),
				known.awaitedByHandler())
			.withPauses(known.pauses()), limits);
	}

	private static Row row(ResultSet row) throws SQLException {
		Facts job = Objects.requireNonNull(ExplainStatement.job(row));
		return new Row(job,
				new JobFacts(Sql.time(row, "now"), row.getBoolean("read_only"), job, ExplainStatement.holder(row),
						ExplainStatement.keyHolder(row), holds(row),
						Duration.ofMillis((long) (row.getDouble("promote_late") * 1000)), row.getBoolean("retrying"), 0,
						0, List.of(), row.getBoolean("behind") ? 1 : 0, null, ExplainStatement.awaited(row),
						ExplainStatement.waitOf(row)));
	}

	/** Returns the hold of its limit key, if there is one. */
	private static List<Pause> holds(ResultSet row) throws SQLException {
		String key = row.getString("held_key");
		return (key == null) ? List.of() : List.of(new Pause("key", key, Sql.time(row, "key_held_at"),
				row.getString("key_reason"), null, Sql.instant(row, "key_held_until")));
	}

	/**
	 * What is known of a job.
	 *
	 * @param facts its facts; how many jobs are ahead is 0 or 1
	 * @param limits the limits that count it
	 */
	public record ExplainedJob(JobFacts facts, List<LimitFacts> limits) {

	}

	/** A job, and what is known without its lane. */
	private record Row(Facts job, JobFacts facts) {

		Lane lane() {
			return new Lane(this.job.queue(), this.job.type());
		}

	}

}
