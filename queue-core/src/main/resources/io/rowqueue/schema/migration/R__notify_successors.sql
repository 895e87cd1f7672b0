-- Notifies the successors of jobs in a range how these ended. Returns the queues that have jobs to claim now, whether these have
-- limit keys and are to be admitted first, and the successors that have failed as a consequence.
create or replace function notify_successors(ended bigint[], how job_state, low bigint, high bigint,
		out queues text[], out limited boolean[], out failed bigint[], out batches bigint[])
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	waiting bigint[];
	free bigint[];
	failing bigint[];
	causes bigint[];
begin
	if how = 'succeeded' then
		with gone as (
			delete from job_dependency d
			where d.predecessor_id = any (ended) and d.successor_id > low and d.successor_id <= high returning d.successor_id)
		select array_agg(distinct gone.successor_id) into waiting from gone;
	else
		-- a cancelled job never runs again: no job waits for it any longer
		with gone as (
			delete from job_dependency d
			where d.predecessor_id = any (ended) and d.successor_id > low and d.successor_id <= high
				and (how is distinct from 'failed' or d.when_failed = 'run')
			returning d.successor_id, d.predecessor_id, d.when_failed),
		bad as (
			select g.successor_id, min(g.predecessor_id) as cause from gone g where g.when_failed <> 'run' group by 1)
		select (select array_agg(distinct g.successor_id) from gone g where g.when_failed = 'run'),
			(select array_agg(bad.successor_id order by bad.successor_id) from bad),
			(select array_agg(bad.cause order by bad.successor_id) from bad)
		into waiting, failing, causes;
		if how = 'failed' then
			select array_agg(bad.successor_id order by bad.successor_id), array_agg(bad.cause order by bad.successor_id)
			into failing, causes
			from (select d.successor_id, min(d.predecessor_id) as cause from job_dependency d
				where d.predecessor_id = any (ended) and d.successor_id > low and d.successor_id <= high
					and d.when_failed = 'fail' group by 1) bad;
		end if;
	end if;

	-- Not a successor with a dependency that no transaction is ending: the one that ends it later waits for the lock and
	-- sees what this one did. If all that are left are being ended, the transactions wait for each other on the
	-- successor's row.
	select array_agg(w.id) into free
	from unnest(waiting) as w (id)
	left join lateral (
		select true as found from job_dependency d where d.successor_id = w.id limit 1 for update skip locked) other on true
	where other.found is null;
	if failing is not null then
		perform from job j where j.id = any (array_cat(free, failing)) order by j.id for update; -- all in one order
	end if;
	select array_agg(r.queue), array_agg(r.limited) into queues, limited from release_blocked(free) r;

	with failed as (
		update job j
		set state = 'failed', leased_at = clock_timestamp(), last_error = format('Job %s%s, which it was to run after, %s', cause.id,
			coalesce(' (' || coalesce((select p.type from job p where p.id = cause.id),
				(select p.type from job_finished p where p.id = cause.id limit 1)) || ')', ''),
			case how when 'failed' then 'failed' when 'cancelled' then 'was cancelled'
				else 'did not succeed and is not kept any longer' end)
		-- one after the other, by the key: the planner must not compare each of them with each
		from unnest(failing, causes) as cause (successor, id)
			cross join lateral (select b.ctid as tid from job b where b.id = cause.successor offset 0) locked
		where j.ctid = locked.tid and j.state::text = 'blocked'
		returning j.id, j.batch_id)
	select array_agg(failed.id), array_agg(failed.batch_id) into failed, batches from failed;
end
$function$;
call pin_search_path('notify_successors');
