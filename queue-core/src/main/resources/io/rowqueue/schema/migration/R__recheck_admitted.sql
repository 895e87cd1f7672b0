-- After the limit of a key or of a class of keys was changed: has those keys admitted soon of which more jobs are admitted than the
-- limit allows, so that jobs that no worker has claimed wait again.
create or replace function recheck_admitted(changed text) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	update job_key k set next_at = least(k.next_at, clock_timestamp())
	where k.limit_key = any (array( -- in the order in which admissions lock keys
		select c.limit_key from job_key c cross join lateral limit_rule(c.limit_key) r
		where (c.limit_key = changed or starts_with(c.limit_key, changed || ':'))
			and r.concurrency < (
				select sum(least(coalesce(j.limit_units, 1), r.concurrency)) from job j
				where j.limit_key = c.limit_key and j.indexed_state in ('queued', 'running'))
		order by c.limit_key for update of c));
end
$function$;
call pin_search_path('recheck_admitted');
