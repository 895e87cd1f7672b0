-- Moves the first follow-up of a key to the jobs if no other job has the key: exactly once, since both happen or neither.
-- Gives up soon if another transaction is storing a job with the key.
create or replace function release_follow_up(unique_key text) returns setof text
	language plpgsql set enable_seqscan = off set jit = off set lock_timeout = '10ms' as $function$
#variable_conflict use_column
declare
	next job_follow_up;
begin
	select * into next from job_follow_up f
	where f.unique_key = release_follow_up.unique_key
		and not exists (select from job j where j.unique_key = f.unique_key and j.indexed_state <> 'failed')
		and not exists (select from job_follow_up b where b.unique_key = f.unique_key and b.id < f.id)
	for update skip locked;
	if not found then
		return;
	end if;
	next.run_at := greatest(next.run_at, clock_timestamp()); -- behind the jobs that wait already
	insert into job (id, lease, attempt, deaths, leased_at, cancel_requested, last_error, queue, type, priority, max_attempts, unique_key,
		run_at, tolerance, unique_for, payload, headers, limit_key, limit_units, enqueued_by, created_at, order_at, state, tracked)
	values (next.id, coalesce(next.lease, 0), coalesce(next.attempt, 0), next.deaths, next.leased_at, coalesce(next.cancel_requested, false),
		next.last_error, next.queue, next.type, next.priority, next.max_attempts, next.unique_key, next.run_at,
		next.tolerance, next.unique_for, next.payload, next.headers, next.limit_key, next.limit_units, next.enqueued_by, next.created_at,
		deadline(next.run_at, next.tolerance), initial_state(next.run_at, next.limit_key),
		case when exists (select from job_on_failure o where o.job_id = next.id) then true end)
	on conflict (unique_key) where unique_key is not null and indexed_state <> 'failed' do nothing;
	if found then
		delete from job_follow_up f where f.id = next.id;
		return next next.queue;
	end if;
exception when lock_not_available then
	return;
end
$function$;
call pin_search_path('release_follow_up');
