package io.rowqueue.engine.explain;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.rowqueue.control.Pause;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.explain.JobFacts.Candidate;
import io.rowqueue.engine.support.QueueClass;
import io.rowqueue.engine.worker.WorkerStore;
import io.rowqueue.limit.LimitKind;

/** Reads what all waiting jobs of a queue and type have in common. */
final class LaneFactsStatement {

	private static final String PAUSES = """
			select p.kind, p.name, p.source, p.paused_at, p.reason, p.open_from from {schema}.pause p
			where {closed} and p.kind <> 'key'
				and case p.kind when 'queue' then p.name = any (?::text[]) else p.name = any (?::text[]) end
			order by p.source <> '', p.open_from desc, p.kind, p.name desc""";

	private static final String WORKERS = """
			with living as materialized (
				select w.* from {schema}.worker w
				where w.dead_at is null and w.heartbeat_at + w.idle_interval > clock_timestamp() - interval '%s seconds'),
			held as materialized (
				select worker_id, queue, type, count(*) as jobs from {schema}.leased_jobs group by worker_id, queue, type)
			select lane.queue, lane.type, (select count(*) from living) as living,
				(select count(*) from living w where lane.type = any (w.types)) as of_type,
				w.id as candidate, w.name as candidate_name,
				coalesce(w.slots ->> lane.queue, w.slots ->> '*', '0')::integer as slots,
				(w.type_limits ->> lane.type)::integer as type_limit,
				(select coalesce(sum(held.jobs), 0) from held where held.worker_id = w.id
					and case when w.slots ->> lane.queue is null then w.slots ->> held.queue is null
						else held.queue = lane.queue end) as held,
				(select coalesce(sum(held.jobs), 0) from held where held.worker_id = w.id and held.type = lane.type) as held_of_type
			from unnest(?::text[], ?::text[]) as lane (queue, type)
			left join living w on not w.quiet and lane.type = any (w.types) and w.queues && array[lane.queue, '*']
			order by w.id"""
		.formatted(WorkerStore.LIVING_SECONDS);

	private final QueueDatabase database;

	LaneFactsStatement(QueueDatabase database) {
		this.database = database;
	}

	LaneFacts execute(List<Lane> lanes) {
		String[] queues = lanes.stream().map(Lane::queue).toArray(String[]::new);
		String[] types = lanes.stream().map(Lane::type).toArray(String[]::new);
		String[] names = Stream.concat(Stream.of(queues), Stream.of(queues).map(QueueClass::of))
			.filter(Objects::nonNull)
			.distinct()
			.toArray(String[]::new);
		List<Pause> pauses = this.database.query(PAUSES, (row, index) -> ExplainStatement.pause(row), names, types);
		Map<Lane, Workers> workers = new HashMap<>();
		this.database.forEach(WORKERS, (row) -> {
			Workers known = workers.computeIfAbsent(new Lane(row.getString("queue"), row.getString("type")),
					(lane) -> new Workers(new ArrayList<>()));
			known.living = row.getInt("living");
			known.ofType = row.getInt("of_type");
			if (row.getObject("candidate") != null) {
				known.candidates.add(candidate(row));
			}
		}, queues, types);
		return new LaneFacts(pauses, new LimitFactsStatement(this.database).ofLanes(names, types), workers);
	}

	private static Candidate candidate(ResultSet row) throws SQLException {
		return new Candidate(row.getLong("candidate"), row.getString("candidate_name"), row.getInt("slots"),
				row.getInt("held"), Sql.integer(row, "type_limit"), row.getInt("held_of_type"));
	}

	/**
	 * A queue and a type.
	 *
	 * @param queue the queue
	 * @param type the type
	 */
	record Lane(String queue, String type) {

	}

	/**
	 * What was read.
	 *
	 * @param all the pauses of all queues and types
	 * @param limitsOfAll the limits of all queues and types
	 * @param workers the workers by queue and type
	 */
	record LaneFacts(List<Pause> all, List<LimitFacts> limitsOfAll, Map<Lane, Workers> workers) {

		private static final Workers NONE = new Workers(List.of());

		List<Pause> pauses(Lane lane) {
			return this.all.stream()
				.filter((pause) -> pause.isOf(lane.queue())
						|| (pause.kind().equals(Pause.TYPE) && pause.name().equals(lane.type())))
				.toList();
		}

		List<LimitFacts> limits(Lane lane) {
			return this.limitsOfAll.stream()
				.filter((limit) -> (limit.kind() == LimitKind.QUEUE) ? QueueClass.isNamed(limit.name(), lane.queue())
						: limit.name().equals(lane.type()))
				.toList();
		}

		int living() {
			return this.workers.values().stream().mapToInt((each) -> each.living).findFirst().orElse(0);
		}

		int ofType(Lane lane) {
			return this.workers.getOrDefault(lane, NONE).ofType;
		}

		List<Candidate> candidates(Lane lane) {
			return List.copyOf(this.workers.getOrDefault(lane, NONE).candidates);
		}

	}

	/** Workers that could run the jobs of a lane. */
	static final class Workers {

		private final List<Candidate> candidates;

		private int living;

		private int ofType;

		private Workers(List<Candidate> candidates) {
			this.candidates = candidates;
		}

	}

}
