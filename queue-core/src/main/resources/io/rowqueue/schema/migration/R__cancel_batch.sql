-- Cancels jobs of a batch that no worker holds and that have not failed, up to a maximum; returns their number. It locks the
-- dependencies before the jobs, as the end of a predecessor does. As in cancel_job, it waits for none that were added meanwhile.
create or replace function cancel_batch(batch bigint, max_jobs integer) returns integer
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	ids bigint[] = array(
		select j.id from job j where j.batch_id = cancel_batch.batch and j.worker_id is null and j.state::text <> 'failed'
		order by j.id limit max_jobs);
begin
	perform from job_dependency d where d.successor_id = any (ids) order by d.predecessor_id, d.successor_id for update;
	ids := array(select w.id from (
		select j.id from job j where j.id = any (ids) and j.worker_id is null and j.state::text <> 'failed'
		order by j.id for update skip locked) w);
	perform move_cancelled(ids);
	delete from job_dependency d where d.ctid = any (array(
		select l.ctid from job_dependency l where l.successor_id = any (ids) for update skip locked));
	perform wake_up(e.queue, e.limited)
	from end_jobs(ids, array_fill(cancel_batch.batch, array[cardinality(ids)]), 'cancelled') e;
	return cardinality(ids);
end
$function$;
call pin_search_path('cancel_batch');
