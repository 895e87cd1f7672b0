-- Ends tracked jobs that succeeded, and notifies everything that waits for them. Returns a row for each job that was ended, and
-- one for each queue that has jobs to claim now; limited: those have limit keys and are to be admitted first.
create or replace function succeed_tracked(ids bigint[], worker bigint, token integer, results text[], result_ids bigint[],
		keep boolean, exceptions text[])
	returns table (job_id bigint, queue text, limited boolean)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	ended bigint[];
	batches bigint[];
begin
	with gone as (
		delete from job j
		where j.id = any (ids) and j.worker_id = worker and j.lease = token and j.tracked
		returning j.*, (results[array_position(result_ids, j.id)])::json as result),
	taken as (
		insert into taken_key (unique_key, job_id, taken_until, limit_key)
		select g.unique_key, g.id, clock_timestamp() + g.unique_for, g.limit_key from gone g where g.unique_for is not null
		on conflict (unique_key) do update
		set job_id = excluded.job_id, taken_until = excluded.taken_until, limit_key = excluded.limit_key),
	remembered as (
		insert into job_result (job_id, result)
		select g.id, g.result from gone g
		where g.result is not null and (exists (select from flow_job m where m.job_id = g.id)
			or exists (select from job_dependency d where d.predecessor_id = g.id))),
	finished as (
		insert into job_finished (id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts, queue, type,
			unique_key, last_error, payload, state, finished_at, result)
		select g.id, g.run_at, g.created_at, g.leased_at, g.worker_id, g.priority, g.attempt, g.max_attempts, g.queue, g.type,
			g.unique_key, g.last_error, case when pg_column_size(g.payload) <= 2000 then g.payload end, 'succeeded',
			clock_timestamp(), g.result
		from gone g where keep <> (g.queue = any (exceptions)))
	select array_agg(g.id), array_agg(g.batch_id) into ended, batches from gone g;
	return query select e, null::text, null::boolean from unnest(ended) as e;
	return query select null::bigint, o.queue, o.limited from end_jobs(ended, batches, 'succeeded') o;
end
$function$;
call pin_search_path('succeed_tracked');
