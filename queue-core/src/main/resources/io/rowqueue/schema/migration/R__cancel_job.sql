-- Cancels a job that no worker holds, or a follow-up, and notifies what waits for it; returns whether there was one. Dependencies
-- that were added after those were locked that it knew are deleted by whoever has locked them: the end of a predecessor, or another
-- cancellation of the job, which finds that it is gone. Both may wait for the job that this transaction has locked.
create or replace function cancel_job(id bigint) returns boolean
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	gone record;
	is_gone boolean;
begin
	-- before the job, as the end of a predecessor does
	perform from job_dependency d where d.successor_id = cancel_job.id order by d.predecessor_id for update;
	select m.batch_id, m.state into gone from move_cancelled(array[cancel_job.id]) m;
	is_gone := found;
	if is_gone or not exists (select from job j where j.id = cancel_job.id) then
		delete from job_dependency d where d.ctid = any (array(
			select l.ctid from job_dependency l where l.successor_id = cancel_job.id for update skip locked));
	end if;
	if not is_gone then
		return false;
	end if;
	if gone.batch_id is not null and gone.state = 'failed' then
		insert into batch_delta (batch_id, failed) values (gone.batch_id, -1); -- it was counted as failed
	end if;
	perform end_job(cancel_job.id, gone.batch_id, 'cancelled');
	return true;
end
$function$;
call pin_search_path('cancel_job');
