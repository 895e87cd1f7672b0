-- Cancels jobs that have expired before they began, up to a maximum, and forgets those that have begun, ended or been
-- replaced. Jobs that other transactions have locked are left for the next time, as are follow-ups and jobs that wait for a
-- slot of their worker, which decides. Returns the cancelled jobs.
create or replace function expire(max_jobs integer) returns table (id bigint, queue text, type text)
	language plpgsql set enable_seqscan = off set jit = off set lock_timeout = '100ms' as $function$
#variable_conflict use_column
declare
	due bigint;
	gone record;
begin
	delete from job_expiry e where e.job_id = any (array(
		select d.job_id from job_expiry d
		where d.expires_at <= clock_timestamp()
			and not exists (select from job_follow_up f where f.id = d.job_id)
			and not exists (
				select from job j
				where j.id = d.job_id and (j.worker_id is null and j.attempt = 0 and j.state::text <> 'failed' or j.state::text = 'starting' and j.attempt = 1)
					and (j.headers ->> 'expires-at')::timestamptz is not null)
		order by d.expires_at, d.job_id limit max_jobs for update of d skip locked));
	for due in
		select e.job_id from job_expiry e join job j on j.id = e.job_id
		where e.expires_at <= clock_timestamp() and j.worker_id is null
		order by e.expires_at, e.job_id limit max_jobs
	loop
		begin
			-- before the job, as the end of a predecessor does
			perform from job_dependency d where d.successor_id = due order by d.predecessor_id for update;
			update job j set last_error = 'The job expired before it began'
			where j.id = due and j.worker_id is null and j.attempt = 0 and j.state::text <> 'failed'
				and (j.headers ->> 'expires-at')::timestamptz <= clock_timestamp()
			returning j.id, j.queue, j.type into gone;
			if found then
				perform cancel_job(due);
				delete from job_expiry e where e.job_id = due;
				return query select gone.id, gone.queue, gone.type;
			end if;
		exception when lock_not_available then
			null; -- the next run of the task retries it
		end;
	end loop;
end
$function$;
call pin_search_path('expire');
