-- Returns the first of the given ids that belongs to no job; those that have not ended stay in this shard until the end of the
-- transaction. kept: all succeeded jobs are in the history; if they are not, each id that was ever assigned may belong to a job
-- that succeeded.
create or replace function find_unknown_predecessor(ids bigint[], kept boolean) returns bigint
	language plpgsql set enable_seqscan = off set jit = off as $function$
begin
	perform hold_jobs(ids);
	return (
		select each from unnest(ids) as each
		where not exists (select from job j where j.id = each)
			and not exists (select from job_follow_up f where f.id = each)
			and not exists (select from job_finished f where f.id = each)
			and (kept or each > (select last_value from job_id_seq))
		order by each limit 1);
end
$function$;
call pin_search_path('find_unknown_predecessor');
