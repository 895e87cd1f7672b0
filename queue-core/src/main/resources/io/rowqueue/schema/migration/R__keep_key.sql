-- Keeps a unique key from now on for some time, whatever becomes of the job that has it.
create or replace function keep_key(unique_key text, job_id bigint, kept_for interval, limit_key text) returns void
	language plpgsql as $function$
#variable_conflict use_variable
begin
	insert into taken_key as t (unique_key, job_id, taken_until, limit_key)
	values (unique_key, job_id, clock_timestamp() + kept_for, limit_key)
	on conflict on constraint taken_key_pkey do update
	set job_id = excluded.job_id, taken_until = excluded.taken_until, limit_key = excluded.limit_key;
end
$function$;
call pin_search_path('keep_key');
