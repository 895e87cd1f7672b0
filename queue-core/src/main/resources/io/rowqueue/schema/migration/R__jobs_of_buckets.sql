-- The jobs whose keys are in these buckets. Reads all jobs with keys, from indexes.
create or replace function jobs_of_buckets(buckets smallint[]) returns setof job
	language plpgsql set enable_seqscan = off set jit = off as $function$
begin
	return query
		select j.* from job j where j.limit_key is not null and bucket_of(j.limit_key, null) = any (buckets)
		union all
		select j.* from job j
		where j.unique_key is not null and j.indexed_state <> 'failed' and j.limit_key is null
			and bucket_of(null, j.unique_key) = any (buckets)
		union all
		select j.* from job j
		where j.indexed_state = 'failed' and j.unique_key is not null and j.limit_key is null
			and bucket_of(null, j.unique_key) = any (buckets);
end
$function$;
call pin_search_path('jobs_of_buckets');
