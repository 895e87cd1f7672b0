-- Retries a failed job so that it repeats a recorded step and all steps that were recorded after it. Returns its queue and state
-- as retry_job does, and whether the job has failed and has recorded the step.
create or replace function retry_from_step(id bigint, step text, out queue text, out state text, out known boolean)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	recorded_at timestamptz;
	token integer;
begin
	perform from job j where j.id = retry_from_step.id for update;
	select s.finished_at, j.lease into recorded_at, token
	from job j join job_step s on s.job_id = j.id and s.name = retry_from_step.step
	where j.id = retry_from_step.id and j.state::text = 'failed' and step <> '' and (s.kept or not exists (
		select from job_step f where f.job_id = s.job_id and f.name = '' and f.lease >= s.lease));
	known := found;
	if not known then
		return;
	end if;
	select r.queue, r.state into queue, state from retry_job(retry_from_step.id) r;
	if not found then
		return;
	end if;
	delete from job_step s
	where s.job_id = retry_from_step.id and s.name <> '' and ((s.finished_at, s.name) >= (recorded_at, retry_from_step.step)
		or s.kept is not true and exists (
			select from job_step f where f.job_id = s.job_id and f.name = '' and f.lease >= s.lease));
	update job_step s set kept = true where s.job_id = retry_from_step.id and s.name <> '' and s.kept is not true;
	insert into job_step as s (job_id, name, lease, finished_at) values (retry_from_step.id, '', token, clock_timestamp())
	on conflict (job_id, name) do update set lease = excluded.lease, finished_at = excluded.finished_at;
	delete from job_wait w where w.job_id = retry_from_step.id and w.kind = 'sleep' and w.began_at >= recorded_at;
end
$function$;
call pin_search_path('retry_from_step');
