package io.rowqueue.engine.explain;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;

/** Reads the limits that apply to a waiting job. It writes and locks nothing. */
public final class LimitFactsStatement {

	/** Of a queue or type: its leases that are counted. */
	private static final String LANE_LIMIT = """
			select l.kind, l.name, l.concurrency, false as ordered, slot.held, slot.ids, null::bigint[] as unclaimed, 1 as units,
				null::bigint as next,
				case when l.rate is not null then extract(epoch from {schema}.next_token(l,
					{schema}.tokens_now(l, l.tokens, l.tokens_at, clock_timestamp()), clock_timestamp())
					- clock_timestamp()) end as seconds
			from %s join {schema}.job_limit l on %s
			cross join lateral (
				select count(*) as held, (array_agg(j.id order by j.id))[1:10] as ids
				from {schema}.job_slot s join {schema}.job j
					on j.id = s.job_id and j.lease = s.lease and j.worker_id is not null
				where s.kind = l.kind and s.name = l.name) slot
			""";

	/** Of the key: the jobs that it has admitted, without the one that asks. */
	private static final String KEY_LIMIT = """
			select 'key' as kind, job.limit_key as name, l.concurrency, l.ordered, admitted.held, admitted.ids, admitted.unclaimed,
				coalesce(job.limit_units, 1) as units,
				case when before.limit_units > 1
					and (-before.priority::integer, before.order_at, before.id) < (-job.priority::integer, job.order_at, job.id)
					then before.id end as next,
				case when l.rate is not null then extract(epoch from k.next_at - clock_timestamp()) end as seconds
			from %s cross join lateral {schema}.limit_rule(job.limit_key) l
			left join {schema}.job_key k on k.limit_key = job.limit_key
			left join lateral (
				select j.* from {schema}.job j
				where j.limit_key = job.limit_key and j.indexed_state = 'blocked' and j.awaits_key
				order by j.priority desc, j.order_at, j.id limit 1) before on true
			cross join lateral (
				select coalesce(sum(least(coalesce(j.limit_units, 1), l.concurrency)), 0) as held,
					(array_agg(j.id order by j.id))[1:10] as ids,
					(array_agg(j.id order by j.id) filter (where j.state::text = 'queued'))[1:10] as unclaimed
				from {schema}.job j
				where j.limit_key = job.limit_key and j.id <> job.id and (j.indexed_state in ('queued', 'running')
					or l.ordered and j.indexed_state = 'scheduled' and {schema}.keeps_place(j.lease, j.leased_at))) admitted
			""";

	private static final String FACTS = """
			with job as materialized (
				select id, queue, type, limit_key, limit_units, awaits_key, priority, order_at, state::text as state from {schema}.job
				where id = ? and state::text in ('queued', 'blocked', 'scheduled')),
			applying as (
				%s where job.state = 'queued'
				union all
				%s where job.awaits_key)
			select * from applying order by kind, name"""
		.formatted(LANE_LIMIT.formatted("job",
				"(l.kind = 'queue' and l.name in (job.queue, {schema}.queue_class(job.queue)))"
						+ " or (l.kind = 'type' and l.name = job.type)"),
				KEY_LIMIT.formatted("job"));

	private static final String OF_LANES = LANE_LIMIT.formatted("(select ?::text[] as queues, ?::text[] as types) lane",
			"(l.kind = 'queue' and l.name = any (lane.queues)) or (l.kind = 'type' and l.name = any (lane.types))")
			+ "order by l.kind, l.name";

	private static final String OF_JOBS = KEY_LIMIT.formatted(
			"(select id, limit_key, limit_units, priority, order_at from {schema}.job where id = any (?::bigint[]) and awaits_key) job")
		.replace("select 'key' as kind", "select job.id, 'key' as kind");

	private final QueueDatabase database;

	public LimitFactsStatement(QueueDatabase database) {
		this.database = database;
	}

	public List<LimitFacts> execute(long id) {
		return this.database.query(FACTS, (row, index) -> limit(row), id);
	}

	/** The limits of queues and types, for jobs that are queued. */
	List<LimitFacts> ofLanes(String[] queues, String[] types) {
		return this.database.query(OF_LANES, (row, index) -> limit(row), queues, types);
	}

	/** The limits of the keys that jobs await, by the id of the job. */
	Map<Long, List<LimitFacts>> ofKeys(Long[] jobs) {
		Map<Long, List<LimitFacts>> keys = new HashMap<>();
		this.database.forEach(OF_JOBS,
				(row) -> keys.computeIfAbsent(row.getLong("id"), (id) -> new ArrayList<>()).add(limit(row)),
				(Object) jobs);
		return keys;
	}

	private static LimitFacts limit(ResultSet row) throws SQLException {
		return new LimitFacts(LimitKind.of(row.getString("kind")), row.getString("name"),
				Sql.integer(row, "concurrency"), row.getInt("held"), ids(row, "ids"), ids(row, "unclaimed"),
				row.getInt("units"), row.getObject("next", Long.class), row.getBoolean("ordered"), nextToken(row));
	}

	private static List<Long> ids(ResultSet row, String column) throws SQLException {
		return (row.getArray(column) != null) ? List.of((Long[]) row.getArray(column).getArray()) : List.of();
	}

	private static @Nullable Duration nextToken(ResultSet row) throws SQLException {
		double seconds = row.getDouble("seconds");
		return (row.wasNull() || seconds <= 0) ? null : Duration.ofMillis((long) Math.ceil(seconds * 1000));
	}

}
