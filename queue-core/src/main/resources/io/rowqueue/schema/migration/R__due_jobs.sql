-- Makes due jobs with a limit key wait for admission, and admits those that their limits allow; queues due jobs with a
-- fairness key. One caller at a time in the cluster: otherwise jobs would not be admitted in the order of their due times.
create or replace function admit_due(max_jobs integer, everything boolean, out moved integer, out queues text[])
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	keys text[];
	firsts bigint[];
	fair bigint[];
	at timestamptz;
	mark timestamptz;
	last timestamptz;
begin
	-- a mark in the future was written before the clock was set back
	select case when everything or t.mark > clock_timestamp() then '-infinity' else coalesce(t.mark, '-infinity') end into mark
	from maintenance_task t where t.name = 'admit' for update;
	at := clock_timestamp(); -- a constant for the statements, so that they read no further
	with due as materialized (
		select j.ctid as tid, j.id, j.run_at, starts_with(j.limit_key, 'fair:') as fair from job j
		where j.indexed_state = 'scheduled' and j.limit_key is not null and j.run_at >= mark and j.run_at <= at
		order by j.run_at, j.id limit max_jobs for no key update skip locked),
	arrived as (
		update job j set state = 'blocked', awaits_key = true where j.ctid = any (array(select tid from due where not fair))
		returning j.id, j.limit_key, j.lease, j.leased_at),
	key as (
		select limit_key, min(id) filter (where keeps_place(lease, leased_at)) as first, count(*) as jobs from arrived group by limit_key)
	select array_agg(limit_key order by limit_key), array_agg(first order by limit_key),
		(select count(*) from due), (select max(run_at) from due), (select array_agg(id) filter (where fair) from due)
	into keys, firsts, moved, last, fair
	from key;
	if moved = max_jobs and fair is not null then
		-- more jobs are due: the first ones of each key get their places now, so that no key waits for the backlog of another one
		fair := fair || array(
			with recursive key as (
				(select j.limit_key, 1 as number from job j where j.limit_key is not null order by j.limit_key limit 1)
				union all
				select next.limit_key, key.number + 1 from key cross join lateral (
					select j.limit_key from job j where j.limit_key > key.limit_key order by j.limit_key limit 1) next
				where key.number < 5000),
			first as materialized (
				select j.id from key cross join lateral (
					select j.id, j.run_at from job j where j.limit_key = key.limit_key and j.indexed_state = 'scheduled'
					order by j.priority desc, j.order_at, j.id limit 20) j
				where starts_with(key.limit_key, 'fair:') and j.run_at <= at)
			select j.id from job j where j.id = any (array(select first.id from first)) and j.indexed_state = 'scheduled'
			for no key update skip locked);
	end if;
	if moved > 0 or not everything and mark < at - interval '2 minutes' then
		-- dead index entries before it need not be read again; an enqueue may be committed some seconds later
		update maintenance_task t set mark = least(at - case when moved > 0 then interval '10 seconds' else interval '1 minute' end,
			case when moved = max_jobs then last end)
		where t.name = 'admit';
	end if;
	-- and the keys whose next token is available
	select keys || array_agg(k.limit_key) into keys
	from (select limit_key from job_key where next_at <= at order by next_at limit max_jobs) k;
	queues := array(
		select q from admit_all(keys, firsts) q
		union
		select q from place_fairly(fair) q where fair is not null);
end
$function$;

-- Queues due jobs with fairness keys, whose rows the caller has locked, and gives each its place in its lane (start-time fair
-- queueing). The places of the jobs of a key lie 100 microseconds apart, or that divided by the weight of the key. The first one is
-- behind the latest of its key, but not before the place that claims have reached: a key with a few jobs is served next,
-- and a key with a million jobs gets what the others leave. Places are times, since claims read a lane by time, but only their
-- order counts. One caller at a time in the cluster; and any one that admits jobs of a limit key, which it has locked: each pair of this
-- key and a fairness key has places of its own, so that admissions of different limit keys do not wait for each other.
create or replace function place_fairly(ids bigint[], admitted boolean default false) returns setof text
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	return query
		with due as materialized (
			select j.ctid as tid, j.id, j.queue, j.type, j.priority, f.limit_key,
				case when admitted then j.order_at else j.run_at end as due_at, k.next_at, k.reached_at,
				interval '100 microseconds' / coalesce(w.weight, 1) as step
			from job j cross join lateral (
				select case when admitted then j.headers ->> 'fairness-key' end as fairness_key) h
			cross join lateral (
				select case when admitted then encode(sha256(convert_to(j.limit_key || E'\n' || h.fairness_key, 'UTF8')), 'hex')
					else j.limit_key end as limit_key) f
			left join fair_weight w on w.limit_key = coalesce('fair:' || h.fairness_key, j.limit_key)
			left join fair_key k on k.queue = j.queue and k.type = j.type and k.priority = j.priority and k.limit_key = f.limit_key
			where j.id = any (ids)),
		head as materialized (
			select d.queue, d.type, d.priority, l.reached_at, l.looked_at, first.order_at is null as empty,
				-- if the lane is empty, all begin together; a place further ahead remains from a clock that was set back
				coalesce(first.order_at, greatest(clock_timestamp(),
					case when l.latest_at < clock_timestamp() + interval '1 hour' then l.latest_at end)) as at
			from (select queue, type, priority, max(reached_at) as reached_at from due group by queue, type, priority) d
			left join fair_lane l on l.queue = d.queue and l.type = d.type and l.priority = d.priority
			left join lateral (
				select j.order_at from job j
				where j.indexed_state = 'queued' and case when j.worker_id is null then true else false end
					and j.queue = d.queue and j.type = d.type and j.priority = d.priority
					and j.order_at >= coalesce(greatest(d.reached_at, l.reached_at), '-infinity')
				order by j.order_at, j.id limit 1) first on true),
		lane as materialized (
			-- claims go on meanwhile, and do not look back: where they will be in 50 ms, but at most 100 jobs ahead
			select h.queue, h.type, h.priority, h.at, h.at + case when not h.empty and h.looked_at < clock_timestamp()
				then greatest(interval '0', least(interval '10 milliseconds', (h.at - h.reached_at)
					* (0.05 / greatest(0.05, extract(epoch from clock_timestamp() - h.looked_at)::float8))))
				else interval '0' end as first_place
			from head h),
		placed as materialized (
			select d.tid, d.queue, d.type, d.priority, d.limit_key, d.step, case when admitted then l.at end as reached_at,
				-- at most an hour ahead: a longer distance remains from a clock that was set back
				greatest(l.first_place, least(coalesce(d.next_at, '-infinity'), l.first_place + interval '1 hour'))
					+ d.step * (row_number() over (partition by d.queue, d.type, d.priority, d.limit_key
						order by d.due_at, d.id) - 1) as at
			from due d join lane l on l.queue = d.queue and l.type = d.type and l.priority = d.priority),
		keys as (
			insert into fair_key as k (queue, type, priority, limit_key, next_at, reached_at)
			select queue, type, priority, limit_key, max(at + step), max(reached_at) from placed
			group by queue, type, priority, limit_key
			on conflict (queue, type, priority, limit_key) do update
			set next_at = excluded.next_at, reached_at = excluded.reached_at),
		lanes as (
			insert into fair_lane as l (queue, type, priority, reached_at, looked_at, latest_at)
			select h.queue, h.type, h.priority, h.at, clock_timestamp(), (select max(p.at + p.step) from placed p
				where p.queue = h.queue and p.type = h.type and p.priority = h.priority) from lane h where not admitted
			on conflict (queue, type, priority) do update
			set reached_at = excluded.reached_at, looked_at = excluded.looked_at, latest_at = greatest(
				excluded.latest_at, case when l.latest_at < clock_timestamp() + interval '1 hour' then l.latest_at end)),
		queued as (
			update job j set state = 'queued', awaits_key = null, order_at = p.at from placed p where j.ctid = p.tid
			returning j.queue)
		select distinct q.queue from queued q;
end
$function$;

call pin_search_path('admit_due', 'place_fairly');
