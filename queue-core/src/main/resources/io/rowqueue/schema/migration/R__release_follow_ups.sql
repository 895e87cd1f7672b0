-- Moves the follow-ups whose turn has come. Maintenance calls it, so that the way in which a job ends does not matter.
create or replace function release_follow_ups(max_jobs integer) returns setof text
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	due text;
begin
	for due in
		select f.unique_key from job_follow_up f
		where not exists (select from job j where j.unique_key = f.unique_key and j.indexed_state <> 'failed')
		limit max_jobs
	loop
		return query select release_follow_up(due);
	end loop;
end
$function$;
call pin_search_path('release_follow_ups');
