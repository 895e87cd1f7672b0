-- Queues due jobs with fairness keys, whose rows the caller has locked, and gives each its place in its lane (start-time fair
-- queueing). The places of the jobs of a key lie 100 microseconds apart, or that divided by the weight of the key. The first one is
-- behind the latest of its key, but not before the place that claims have reached: a key with a few jobs is served next,
-- and a key with a million jobs gets what the others leave. Places are times, since claims read a lane by time, but only their
-- order counts. One caller at a time in the cluster.
create or replace function place_fairly(ids bigint[]) returns setof text
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	return query
		with due as materialized (
			select j.ctid as tid, j.id, j.queue, j.type, j.priority, j.limit_key, j.run_at,
				interval '100 microseconds' / coalesce(w.weight, 1) as step
			from job j left join fair_weight w on w.limit_key = j.limit_key
			where j.id = any (ids)),
		head as materialized (
			select d.queue, d.type, d.priority, l.reached_at, l.looked_at, first.order_at is null as empty,
				-- if the lane is empty, all begin together; a place further ahead remains from a clock that was set back
				coalesce(first.order_at, greatest(clock_timestamp(),
					case when l.latest_at < clock_timestamp() + interval '1 hour' then l.latest_at end)) as at
			from (select distinct queue, type, priority from due) d
			left join fair_lane l on l.queue = d.queue and l.type = d.type and l.priority = d.priority
			left join lateral (
				select j.order_at from job j
				where j.indexed_state = 'queued' and case when j.worker_id is null then true else false end
					and j.queue = d.queue and j.type = d.type and j.priority = d.priority
					and j.order_at >= coalesce(l.reached_at, '-infinity')
				order by j.order_at, j.id limit 1) first on true),
		lane as materialized (
			-- claims go on meanwhile, and do not look back: where they will be in 50 ms, but at most 100 jobs ahead
			select h.queue, h.type, h.priority, h.at, h.at + case when not h.empty and h.looked_at < clock_timestamp()
				then greatest(interval '0', least(interval '10 milliseconds', (h.at - h.reached_at)
					* (0.05 / greatest(0.05, extract(epoch from clock_timestamp() - h.looked_at)::float8))))
				else interval '0' end as first_place
			from head h),
		placed as materialized (
			select d.tid, d.queue, d.type, d.priority, d.limit_key, d.step,
				-- at most an hour ahead: a longer distance remains from a clock that was set back
				greatest(l.first_place, least(coalesce(k.next_at, '-infinity'), l.first_place + interval '1 hour'))
					+ d.step * (row_number() over (partition by d.queue, d.type, d.priority, d.limit_key
						order by d.run_at, d.id) - 1) as at
			from due d join lane l on l.queue = d.queue and l.type = d.type and l.priority = d.priority
			left join fair_key k on k.queue = d.queue and k.type = d.type and k.priority = d.priority
				and k.limit_key = d.limit_key),
		keys as (
			insert into fair_key as k (queue, type, priority, limit_key, next_at)
			select queue, type, priority, limit_key, max(at + step) from placed group by queue, type, priority, limit_key
			on conflict (queue, type, priority, limit_key) do update set next_at = excluded.next_at),
		lanes as (
			insert into fair_lane as l (queue, type, priority, reached_at, looked_at, latest_at)
			select h.queue, h.type, h.priority, h.at, clock_timestamp(), (select max(p.at + p.step) from placed p
				where p.queue = h.queue and p.type = h.type and p.priority = h.priority) from lane h
			on conflict (queue, type, priority) do update
			set reached_at = excluded.reached_at, looked_at = excluded.looked_at, latest_at = greatest(
				excluded.latest_at, case when l.latest_at < clock_timestamp() + interval '1 hour' then l.latest_at end)),
		queued as (
			update job j set state = 'queued', order_at = p.at from placed p where j.ctid = p.tid
			returning j.queue)
		select distinct q.queue from queued q;
end
$function$;
call pin_search_path('place_fairly');
