-- The same as end_jobs for one job, as a part of the statement that ends it; wakes the workers.
create or replace function end_job(id bigint, batch_id bigint, outcome text) returns void language plpgsql as $function$
begin
	perform wake_up(e.queue, e.limited) from end_jobs(array[id], array[batch_id], outcome::job_state) e;
end
$function$;
call pin_search_path('end_job');
