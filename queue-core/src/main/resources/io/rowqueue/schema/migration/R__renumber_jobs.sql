-- Rows of jobs that have left another shard, with new numbers for those whose ids other jobs have here: databases that were queues of
-- their own have assigned the same ids before they became shards.
create or replace function renumber_jobs(content json) returns json
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	numbers jsonb;
begin
	select jsonb_object_agg(r.id::text, nextval('job_id_seq')) into numbers
	from (select (e ->> 'id')::bigint as id from json_array_elements(content) e) r
	where exists (select from job j where j.id = r.id)
		or exists (select from job_follow_up f where f.id = r.id)
		or exists (select from job_finished h where h.id = r.id);
	if numbers is not null then
		perform set_config('rowqueue.renumbered',
			(coalesce(nullif(current_setting('rowqueue.renumbered', true), ''), '{}')::jsonb || numbers)::text, true);
	end if;
	return renumber_rows(content, 'id');
end
$function$;
call pin_search_path('renumber_jobs');
