-- Which of these buckets cannot be moved now: those that have a job that is leased, belongs to a flow or batch, or waits for another
-- job, and those of a job or follow-up that another job or a schedule waits for: its end is noticed in this database only.
-- locked: of jobs and follow-ups, with buckets of others staying as well; null: not asked for.
create or replace function staying_buckets(buckets smallint[], locked bigint[] default null) returns setof smallint
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_variable
begin
	return query
		select bucket_of(j.limit_key, j.unique_key) from jobs_of_buckets(buckets) j
		where j.worker_id is not null or j.tracked or j.batch_id is not null
			or exists (select from job_dependency d where j.id in (d.predecessor_id, d.successor_id))
			or exists (select from schedule s where s.last_job_id = j.id and s.overlap = 'skip' and j.state <> 'failed')
			or locked is not null and j.id not in (select l from unnest(locked) l)
		union
		select bucket_of(f.limit_key, f.unique_key) from job_follow_up f
		where bucket_of(f.limit_key, f.unique_key) = any (buckets)
			and (exists (select from job_dependency d where d.predecessor_id = f.id)
				or locked is not null and f.id not in (select l from unnest(locked) l));
end
$function$;
call pin_search_path('staying_buckets');
