package io.rowqueue.engine.search;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import io.rowqueue.admin.JobView;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.filter.JobListState;
import io.rowqueue.engine.search.FilterCondition.Part;
import org.jspecify.annotations.Nullable;

/**
 * The lists of jobs that have an index, with the statement that looks at a chunk of each.
 * A statement selects {@code id}, three keys as text, and whether the filter selects the
 * job. Its parameters are named; {@code :filter} stands for the condition of the filter.
 */
enum ListStatement {

	/** All jobs that have not finished, by id, the latest first. */
	LIVE("""
			select j.id, j.id::text as k1, '' as k2, '' as k3, (:filter) as hit from {schema}.job j
			where j.id < :k1::bigint order by j.id desc limit :size""", "9223372036854775807||", SortTime.CREATED),

	SCHEDULED("""
			select j.id, j.run_at::text as k1, j.id::text as k2, '' as k3, (:filter) as hit from {schema}.job j
			where j.indexed_state = 'scheduled' and (j.run_at, j.id) > (:k1::timestamptz, :k2::bigint)
				and j.run_at >= coalesce(:dueFrom::timestamptz, '-infinity')
				and j.run_at < coalesce(:dueUntil::timestamptz, 'infinity')
			order by j.run_at, j.id limit :size""", "-infinity|0|", SortTime.DUE),

	/** The lanes of all queues. */
	QUEUED(queued(LaneStatement.ALL), "32767|-infinity|0", SortTime.NONE),

	/** The lanes of named queues. */
	QUEUED_OF(queued(LaneStatement.OF_QUEUES), "32767|-infinity|0", SortTime.NONE),

	FAILED(byQueue("failed", "j.failed_leased_at::text as k1, j.id::text as k2, '' as k3",
			"(j.failed_leased_at, j.id) < (:k1::timestamptz, :k2::bigint)", "j.failed_leased_at desc, j.id desc"),
			"infinity|9223372036854775807|", SortTime.STARTED),

	BLOCKED(byQueue("blocked", "j.id::text as k1, '' as k2, '' as k3", "j.id < :k1::bigint", "j.id desc"),
			"9223372036854775807||", SortTime.CREATED),

	/** What claims hold: all of it is read for each page. */
	LEASED("""
			select j.id, j.leased_at::text as k1, j.id::text as k2, '' as k3, (:filter) as hit
			from (
				select distinct c.worker_id, c.id from (
					select c.worker_id, claimed.id from {schema}.claim c cross join lateral unnest(c.job_ids) as claimed (id)
					where :worker::bigint is null or c.worker_id = :worker limit 20000) c) held
			cross join lateral (
				select j.* from {schema}.job j where j.id = held.id and j.worker_id = held.worker_id offset 0) j
			where (j.leased_at, j.id) > (:k1::timestamptz, :k2::bigint) order by j.leased_at, j.id limit :size""",
			"-infinity|0|", SortTime.STARTED),

	IDS(byId("select unnest(:ids::bigint[]) as id"), "0||", SortTime.NONE),

	/** A key has few jobs, besides those that failed with it, which no index finds. */
	UNIQUE_KEY(byId("""
			select id from {schema}.job where unique_key = :uniqueKey and indexed_state <> 'failed'
			union (select id from {schema}.job_follow_up where unique_key = :uniqueKey limit 1000)
			union select job_id from {schema}.taken_key where unique_key = :uniqueKey
			union select f.id from (
				select id, unique_key from {schema}.job where indexed_state = 'failed' limit 20000) f
			where f.unique_key = :uniqueKey"""), "0||", SortTime.NONE),

	FLOW(byId("""
			(select job_id as id from {schema}.flow_job where flow_id = :flow and job_id > :k1::bigint
			order by job_id limit :size)"""), "0||", SortTime.NONE),

	/** The first jobs of each state: who holds the limit, and who is admitted next. */
	LIMIT_KEY(
			"""
					select j.id, j.rank::text as k1, j.order_at::text as k2, j.id::text as k3, j.hit
					from unnest(array['running', 'queued', 'scheduled', 'blocked', 'failed']) with ordinality as s (state, place)
					cross join lateral (
						select j.id, j.order_at, s.place * 65536 - j.priority as rank, (:filter) as hit from {schema}.job j
						where j.limit_key = :limitKey and j.indexed_state = s.state::{schema}.job_state
						order by j.priority desc, j.order_at, j.id limit 1000) j
					where (j.rank, j.order_at, j.id) > (:k1::bigint, :k2::timestamptz, :k3::bigint)
					order by j.rank, j.order_at, j.id limit :size""",
			"-65536|-infinity|0", SortTime.NONE),

	/** All jobs with a tag or header that are kept, the latest first. */
	LABEL("""
			select j.id, j.id::text as k1, '' as k2, '' as k3, (:filter) as hit
			from {schema}.job_tag lead cross join lateral %s j
			where lead.name = :labelName and lead.value = :labelValue and lead.job_id < :k1::bigint
			order by lead.job_id desc limit :size""".formatted(JobRowStatement.OF_ID.formatted("lead.job_id")),
			"9223372036854775807||", SortTime.CREATED),

	/**
	 * The jobs of an error, by its failures, the latest first. A failure is looked at
	 * even if its job has finished, or has failed again later.
	 */
	ERROR("""
			select f.job_id as id, f.failed_at::text as k1, f.job_id::text as k2, '' as k3, coalesce(j.hit, false) as hit
			from (
				select job_id, failed_at from {schema}.job_failure
				where error_group = :fingerprint::bigint and (failed_at, job_id) < (:k1::timestamptz, :k2::bigint)
				order by failed_at desc, job_id desc limit :size) f
			left join lateral (
				select (:filter) and not exists (
					select from {schema}.job_failure later where later.job_id = f.job_id and later.failed_at > f.failed_at) as hit
				from {schema}.job j where j.id = f.job_id offset 0) j on true
			order by f.failed_at desc, f.job_id desc""",
			"infinity|9223372036854775807|", SortTime.STARTED),

	BATCH("""
			select j.id, j.id::text as k1, '' as k2, '' as k3, (:filter) as hit from {schema}.job j
			where j.batch_id = :batch and j.id > :k1::bigint order by j.id limit :size""", "0||", SortTime.NONE);

	private final String sql;

	private final String start;

	private final SortTime time;

	ListStatement(String sql, String start, SortTime time) {
		this.sql = sql;
		this.start = start;
		this.time = time;
	}

	String sql() {
		return this.sql;
	}

	/** What of a filter the index leads to. */
	Set<Part> covered() {
		return switch (this) {
			case SCHEDULED -> Set.of(Part.STATE, Part.DUE);
			case QUEUED -> Set.of(Part.STATE, Part.TYPE, Part.PRIORITY);
			case QUEUED_OF -> Set.of(Part.STATE, Part.TYPE, Part.QUEUE, Part.PRIORITY);
			case FAILED, BLOCKED -> Set.of(Part.STATE, Part.QUEUE);
			case UNIQUE_KEY -> Set.of(Part.KEY);
			default -> Set.of();
		};
	}

	List<String> start() {
		return List.of(this.start.split("\\|", -1));
	}

	@Nullable Instant time(JobView job) {
		return switch (this.time) {
			case CREATED -> job.createdAt();
			case DUE -> job.runAt();
			case STARTED -> job.startedAt();
			case NONE -> null;
		};
	}

	/** Whether each read looks at all jobs of the list, which are few. */
	boolean isReadWhole() {
		return this == LEASED || this == IDS || this == UNIQUE_KEY || this == LIMIT_KEY;
	}

	boolean isMergedOrOfLanes() {
		return isMerged() || isOfLanes();
	}

	/** Counts the jobs of a merged list, without the order in which they are merged. */
	String count() {
		int order = this.sql.lastIndexOf("order by");
		return "select count(*) from (select j.id from (" + this.sql.substring(0, order) + ") j limit :size) counted";
	}

	/** Whether jobs of each lane are merged. */
	boolean isOfLanes() {
		return this == QUEUED || this == QUEUED_OF;
	}

	/** Whether each read looks at as many jobs of each queue. */
	boolean isMerged() {
		return this == FAILED || this == BLOCKED;
	}

	static ListStatement of(JobFilter filter, FilterCondition condition) {
		if (!filter.ids().isEmpty()) {
			return IDS;
		}
		if (filter.flow() != null) {
			return FLOW;
		}
		if (filter.batch() != null) {
			return BATCH;
		}
		if (filter.limitKey() != null) {
			return LIMIT_KEY;
		}
		if (filter.uniqueKey() != null) {
			return UNIQUE_KEY;
		}
		if (!filter.tags().isEmpty() || !filter.headers().isEmpty()) {
			return LABEL;
		}
		boolean error = filter.error() != null && filter.error().isFingerprint();
		return (error && filter.worker() == null) ? ERROR : ofState(filter, condition);
	}

	private static ListStatement ofState(JobFilter filter, FilterCondition condition) {
		Set<JobListState> states = filter.states();
		if (filter.worker() != null || (!states.isEmpty() && JobListState.LEASED.containsAll(states))) {
			return LEASED;
		}
		if (states.isEmpty()) {
			return LIVE;
		}
		if (Set.of(JobListState.SCHEDULED, JobListState.RETRYING, JobListState.WAITING).containsAll(states)) {
			return SCHEDULED;
		}
		if (states.size() > 1) {
			return LIVE;
		}
		return switch (states.iterator().next()) {
			case FAILED -> FAILED;
			case BLOCKED -> BLOCKED;
			case QUEUED -> queued(filter, condition);
			default -> LIVE;
		};
	}

	private static ListStatement queued(JobFilter filter, FilterCondition condition) {
		ListStatement lanes = filter.queues().isEmpty() ? QUEUED : QUEUED_OF;
		return condition.isWithin(lanes.covered()) ? lanes : LIVE;
	}

	private static String queued(String lanes) {
		return """
				select j.id, j.priority::text as k1, j.order_at::text as k2, j.id::text as k3, j.hit
				from (%s) lane
				cross join lateral (
					select j.id, j.priority, j.order_at, (:filter) as hit from {schema}.job j
					where j.indexed_state = 'queued' and case when j.worker_id is null then true else false end
						and j.queue = lane.queue and j.type = lane.type and j.priority = lane.priority
						and (j.order_at, j.id) > (case when lane.priority < :k1::smallint then '-infinity' else :k2::timestamptz end,
							case when lane.priority < :k1::smallint then 0 else :k3::bigint end)
					order by j.order_at, j.id limit :size) j
				where lane.priority <= :k1::smallint and lane.type = any (coalesce(:types::text[], array[lane.type]))
					and lane.priority between coalesce(:minPriority::integer, -32768) and coalesce(:maxPriority::integer, 32767)
				order by j.priority desc, j.order_at, j.id limit :size"""
			.formatted(lanes);
	}

	/** The first jobs of each queue that has any, or of the named queues, are merged. */
	private static String byQueue(String state, String keys, String after, String order) {
		return """
				select j.id, j.k1, j.k2, j.k3, j.hit
				from (with recursive found as (
						(select queue from {schema}.job where indexed_state = '%1$s' and :queues::text[] is null order by queue limit 1)
						union all
						select next.* from found cross join lateral (
							select queue from {schema}.job where indexed_state = '%1$s' and queue > found.queue order by queue limit 1) next)
					(select queue from found limit 1000) union all select unnest(:queues::text[])) q
				cross join lateral (
					select j.*, %2$s, (:filter) as hit from {schema}.job j
					where j.indexed_state = '%1$s' and j.queue = q.queue and %3$s order by %4$s limit :size) j
				order by %4$s limit :size"""
			.formatted(state, keys, after, order);
	}

	/**
	 * Jobs that are no longer kept are looked at as well: the list does not end there.
	 */
	private static String byId(String ids) {
		return """
				select lead.id, lead.id::text as k1, '' as k2, '' as k3, j.id is not null and (:filter) as hit
				from (%s) lead left join lateral %s j on true
				where lead.id > :k1::bigint order by lead.id limit :size""".formatted(ids,
				JobRowStatement.OF_ID.formatted("lead.id"));
	}

	/** The time by which a list is sorted. */
	private enum SortTime {

		CREATED, DUE, STARTED, NONE

	}

}
