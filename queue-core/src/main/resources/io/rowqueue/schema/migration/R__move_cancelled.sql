-- Moves jobs that no worker holds, follow-ups, and jobs that wait to be published to the history as cancelled. Returns the state
-- that each job had; null for the latter two.
create or replace function move_cancelled(ids bigint[]) returns table (id bigint, batch_id bigint, state job_state)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	return query
		with active as (
			delete from job j where j.id = any (ids) and j.worker_id is null
			returning j.id, j.run_at, j.created_at, j.leased_at, j.priority, j.attempt, j.max_attempts, j.queue, j.type,
				j.unique_key, j.last_error, j.payload, j.batch_id, j.state),
		follow_up as (
			delete from job_follow_up f where f.id = any (ids)
			returning f.id, f.run_at, f.created_at, null::timestamptz as leased_at, f.priority, 0::smallint as attempt,
				f.max_attempts, f.queue, f.type, f.unique_key, null::text as last_error, f.payload, null::bigint as batch_id,
				null::job_state as state),
		unpublished as ( -- not while a relay publishes it
			delete from outbox o where o.ctid = any (array(
				select u.ctid from outbox u where u.id = any (ids) order by u.id for update skip locked))
			returning o.id, o.created_at as run_at, o.created_at, null::timestamptz as leased_at, 0::smallint as priority,
				0::smallint as attempt, o.max_attempts, o.queue, o.type, null::text as unique_key, null::text as last_error,
				o.payload, null::bigint as batch_id, null::job_state as state),
		gone as (
			select * from active union all select * from follow_up union all select * from unpublished),
		kept_key as ( -- from the enqueue on, however the job ends
			update taken_key t set unsuccessful_id = t.job_id where t.ctid = any (array(
				select k.tid from gone g cross join lateral (
					select k.ctid as tid from taken_key k where k.unique_key = g.unique_key and k.job_id = g.id
					for no key update skip locked) k))),
		finished as (
			insert into job_finished (id, run_at, created_at, leased_at, priority, attempt, max_attempts, queue, type,
				unique_key, last_error, payload, state, finished_at)
			select g.id, g.run_at, g.created_at, g.leased_at, g.priority, g.attempt, g.max_attempts, g.queue, g.type,
				g.unique_key, g.last_error, g.payload, 'cancelled', clock_timestamp()
			from gone g)
		select g.id, g.batch_id, g.state from gone g;
end
$function$;
call pin_search_path('move_cancelled');
