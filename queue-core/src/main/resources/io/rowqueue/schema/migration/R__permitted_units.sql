-- The units of a key that jobs with several keys or units have. A job with more units than the limit counts as the whole limit.
-- claimed_only: only jobs that a worker holds.
create or replace function permitted_units(key text, max_units integer, claimed_only boolean default false) returns bigint
	language plpgsql volatile set enable_seqscan = off set jit = off as $function$
begin
	return (
		select coalesce(sum(least(p.units, max_units)), 0) from limit_permit p
		cross join lateral (select j.limit_key, j.indexed_state, j.worker_id from job j where j.id = p.job_id offset 0) j
		where p.member = key and j.limit_key = p.limit_key and j.indexed_state in ('queued', 'running')
			and (j.worker_id is not null or not claimed_only));
end
$function$;
call pin_search_path('permitted_units');
