-- Makes blocked jobs claimable that wait for nothing any more. Returns their queues, and whether they have limit keys and are
-- to be admitted first. The rows are locked first, so that the second statement sees all that was committed meanwhile.
create or replace function release_blocked(ids bigint[]) returns table (queue text, limited boolean)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	perform from job j where j.id = any (ids) order by j.id for update;
	return query
		with released as (
			update job j
			set run_at = greatest(j.run_at, clock_timestamp()), -- behind the jobs that wait already
				order_at = deadline(greatest(j.run_at, clock_timestamp()), j.tolerance),
				state = initial_state(j.run_at, j.limit_key)
			where j.id = any (ids) and j.state::text = 'blocked' and j.awaits_key is null
				and not exists (select from job_dependency d where d.successor_id = j.id)
				and not exists (select from batch_callback c join batch b on b.id = c.batch_id
					where c.job_id = j.id and b.finished_at is null)
			returning j.queue, j.state, j.limit_key, j.run_at)
		select distinct r.queue, r.limit_key is not null from released r
		where r.state = 'queued' or (r.limit_key is not null and r.run_at <= clock_timestamp());
end
$function$;
call pin_search_path('release_blocked');
