-- Makes due jobs with a limit key wait for admission, and admits those that their limits allow; queues due jobs with a
-- fairness key. One caller at a
-- time in the cluster: otherwise jobs would not be admitted in the order of their due times.
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
call pin_search_path('admit_due');
