-- Locks the successors of jobs that have failed, and the dependencies that this changes, as far as that is possible without waiting;
-- returns whether all are locked.
create or replace function lock_successors(failed bigint[]) returns boolean
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	locked bigint;
	successors bigint[];
begin
	select count(*), array_agg(l.successor_id) into locked, successors from (
		select d.successor_id from job_dependency d
		where d.predecessor_id = any (failed) and d.when_failed <> 'wait' for update skip locked) l;
	if locked < (select count(*) from job_dependency d where d.predecessor_id = any (failed) and d.when_failed <> 'wait') then
		return false;
	end if;
	select count(*) into locked from (select from job j where j.id = any (successors) for update skip locked) l;
	return locked >= (select count(*) from job j where j.id = any (successors));
end
$function$;
call pin_search_path('lock_successors');
