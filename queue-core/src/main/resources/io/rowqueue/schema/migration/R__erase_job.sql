-- Erases a job that no worker holds, with all its traces. A job that has not ended is cancelled first, so that what waits for it
-- is notified. Returns whether there was one.
create or replace function erase_job(id bigint) returns boolean
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	gone boolean;
begin
	gone := cancel_job(erase_job.id);
	if exists (select from job j where j.id = erase_job.id) then
		return false; -- a worker holds it
	end if;
	delete from taken_key t where t.job_id = erase_job.id and t.unique_key = (
		select h.unique_key from job_finished h where h.id = erase_job.id limit 1);
	delete from job_finished h where h.id = erase_job.id;
	gone := gone or found;
	-- in the order in which failures are grouped
	perform from error_group g
	where g.sample <> '' and g.id = any (array(select f.error_group from job_failure f where f.job_id = erase_job.id))
	order by g.id for no key update;
	update error_group g set sample = ''
	from job_failure f
	where f.job_id = erase_job.id and g.id = f.error_group and g.sample <> '' and starts_with(f.error, g.sample);
	delete from job_failure f where f.job_id = erase_job.id;
	delete from job_progress p where p.job_id = erase_job.id;
	delete from job_step s where s.job_id = erase_job.id;
	delete from job_result r where r.job_id = erase_job.id;
	delete from job_tag t where t.job_id = erase_job.id;
	delete from job_expiry e where e.job_id = erase_job.id;
	delete from job_on_failure o where o.job_id = erase_job.id;
	delete from job_signal s where s.job_id = erase_job.id;
	delete from job_wait w where w.job_id = erase_job.id;
	delete from job_log l where l.job_id = erase_job.id;
	delete from cancel_request c where c.job_id = erase_job.id;
	return gone;
end
$function$;
call pin_search_path('erase_job');
