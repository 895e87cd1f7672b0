-- Takes jobs without keys out of this shard, to be handed over to another one. Jobs of flows and batches stay, and those that
-- others wait for, also if maintenance has not marked them as tracked yet, and those that their schedules wait for. All stay while
-- a transaction is open for long that refers to one of them: see hold_jobs.
create or replace function release_jobs(max_jobs integer, target smallint, out released integer)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_variable
declare
	no_bucket constant smallint = 4096; -- as in hold_jobs
	handover bigint;
	ids bigint[];
begin
	if cardinality(take_buckets(array[no_bucket])) = 0 then
		released := 0;
		return;
	end if;
	insert into shard_handover (batch, target, buckets) overriding system value values (next_handover(), target, '{}')
	returning batch into handover;
	with awaited as materialized (
		select s.last_job_id as job_id from schedule s where s.overlap = 'skip' and s.last_job_id is not null),
	due as (
		select j.id from job j where j.indexed_state = 'queued' and j.worker_id is null and j.unique_key is null
			and j.limit_key is null and j.tracked is null and j.batch_id is null
			and not exists (select from job_dependency d where d.predecessor_id = j.id)
			and j.id not in (select w.job_id from awaited w)
		limit max_jobs for update skip locked),
	later as (
		select j.id from job j where j.indexed_state = 'scheduled' and j.unique_key is null and j.limit_key is null
			and j.tracked is null and j.batch_id is null
			and not exists (select from job_dependency d where d.predecessor_id = j.id)
			and j.id not in (select w.job_id from awaited w)
		limit max_jobs for update skip locked),
	chosen as (select id from due union all select id from later),
	gone as (delete from job j using chosen c where j.id = c.id returning j.*),
	noted as (
		insert into shard_handover_row (batch, relation, content)
		select handover, 'job', escape_nul(row_to_json(g)) from gone g order by g.id)
	select coalesce(array_agg(g.id), '{}') into ids from gone g;
	released := cardinality(ids);
	if released = 0 then
		delete from shard_handover h where h.batch = handover;
	else
		perform release_details(handover, ids);
	end if;
end
$function$;
call pin_search_path('release_jobs');
