package io.pgqueue.engine.explain;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.database.Sql;
import io.pgqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;

/** Reads the limits that apply to a waiting job. It writes and locks nothing. */
public final class LimitFactsStatement {

	private static final String FACTS = """
			with job as materialized (
				select id, queue, type, limit_key, awaits_key, state::text as state from {schema}.job
				where id = ? and state::text in ('queued', 'blocked', 'scheduled')),
			applying as (
				select l.kind, l.name, l.concurrency, false as ordered, slot.held, slot.ids, null::bigint[] as unclaimed,
					case when l.rate is not null then extract(epoch from {schema}.next_token(l,
						{schema}.tokens_now(l, l.tokens, l.tokens_at, clock_timestamp()), clock_timestamp())
						- clock_timestamp()) end as seconds
				from job join {schema}.job_limit l
					on (l.kind = 'queue' and l.name = job.queue) or (l.kind = 'type' and l.name = job.type)
				cross join lateral (
					select count(*) as held, (array_agg(j.id order by j.id))[1:10] as ids
					from {schema}.job_slot s join {schema}.job j
						on j.id = s.job_id and j.lease = s.lease and j.worker_id is not null
					where s.kind = l.kind and s.name = l.name) slot
				where job.state = 'queued'
				union all
				select 'key', job.limit_key, case when l.kind is null then 1 else l.concurrency end, coalesce(l.ordered, false),
					admitted.held, admitted.ids, admitted.unclaimed, extract(epoch from k.next_at - clock_timestamp())
				from job left join {schema}.job_limit l on l.kind = 'key' and l.name = split_part(job.limit_key, ':', 1)
				left join {schema}.job_key k on k.limit_key = job.limit_key
				cross join lateral (
					select count(*) as held, (array_agg(j.id order by j.id))[1:10] as ids,
						(array_agg(j.id order by j.id) filter (where j.state::text = 'queued'))[1:10] as unclaimed
					from {schema}.job j
					where j.limit_key = job.limit_key and j.id <> job.id and (j.indexed_state in ('queued', 'running')
						or l.ordered and j.indexed_state = 'scheduled' and j.lease > 0)) admitted
				where job.awaits_key)
			select * from applying order by kind""";

	private final QueueDatabase database;

	public LimitFactsStatement(QueueDatabase database) {
		this.database = database;
	}

	public List<LimitFacts> execute(long id) {
		return this.database.query(FACTS,
				(row, index) -> new LimitFacts(LimitKind.of(row.getString("kind")), row.getString("name"),
						Sql.integer(row, "concurrency"), row.getInt("held"), ids(row, "ids"), ids(row, "unclaimed"),
						row.getBoolean("ordered"), nextToken(row)),
				id);
	}

	private static List<Long> ids(ResultSet row, String column) throws SQLException {
		return (row.getArray(column) != null) ? List.of((Long[]) row.getArray(column).getArray()) : List.of();
	}

	private static @Nullable Duration nextToken(ResultSet row) throws SQLException {
		double seconds = row.getDouble("seconds");
		return (row.wasNull() || seconds <= 0) ? null : Duration.ofMillis((long) Math.ceil(seconds * 1000));
	}

}
