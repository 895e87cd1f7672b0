-- Takes what belongs to jobs out of this shard, with the jobs.
create or replace function release_details(handover bigint, ids bigint[]) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	relation text;
begin
	foreach relation in array array['job_failure', 'job_step', 'job_progress', 'job_tag', 'job_expiry', 'job_on_failure', 'job_signal',
		'job_wait', 'job_log', 'cancel_request'] loop
		execute format('with gone as (delete from %1$I r where r.job_id = any ($2) returning r.*)'
			' insert into shard_handover_row (batch, relation, content) select $1, %1$L, escape_nul(row_to_json(g)) from gone g', relation)
		using handover, ids;
	end loop;
end
$function$;
call pin_search_path('release_details');
