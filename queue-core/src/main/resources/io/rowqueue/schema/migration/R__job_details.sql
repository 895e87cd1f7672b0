-- What belongs to a job that has not run: the rows of each table, by its name.
create or replace function job_details(id bigint) returns json language plpgsql stable as $function$
begin
	return json_build_object(
		'job_tag', (select json_agg(row_to_json(r)) from job_tag r where r.job_id = job_details.id),
		'job_expiry', (select json_agg(row_to_json(r)) from job_expiry r where r.job_id = job_details.id),
		'job_on_failure', (select json_agg(row_to_json(r)) from job_on_failure r where r.job_id = job_details.id),
		'job_signal', (select json_agg(row_to_json(r)) from job_signal r where r.job_id = job_details.id));
end
$function$;
call pin_search_path('job_details');
