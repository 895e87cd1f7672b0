-- Takes buckets and their jobs out of this shard, to be handed over to another one. From the commit on, enqueues of
-- their keys wait until they have arrived there. Leaves out buckets that others use for long (see take_buckets) or that
-- have a job that is leased, belongs to a flow or batch, or waits for another job, and those of a job or follow-up that
-- another job, a flow or a schedule waits for: its end is noticed in this database only.
create or replace function release_buckets(buckets smallint[], target smallint, out moved smallint[])
	language plpgsql set lock_timeout = '2s' as $function$
#variable_conflict use_variable
declare
	taken constant smallint[] = take_buckets(buckets);
	handover bigint;
	ids bigint[];
begin
	moved := array(
		select b from unnest(taken) b where owns_bucket(b)
		except
		select bucket_of(j.limit_key, j.unique_key) from jobs_of_buckets(buckets) j
		where j.worker_id is not null or j.tracked or j.batch_id is not null
			or exists (select from job_dependency d where j.id in (d.predecessor_id, d.successor_id))
			or exists (select from flow_job m where m.job_id = j.id and m.unsure)
			or exists (select from schedule s where s.last_job_id = j.id and s.overlap = 'skip' and j.state <> 'failed')
		except
		select bucket_of(f.limit_key, f.unique_key) from job_follow_up f
		where exists (select from job_dependency d where d.predecessor_id = f.id)
			or exists (select from flow_job m where m.job_id = f.id and m.unsure));
	if cardinality(moved) = 0 then
		return;
	end if;
	insert into shard_handover (batch, target, buckets) overriding system value values (next_handover(), target, moved)
	returning batch into handover;
	with gone as (
		delete from job j using jobs_of_buckets(moved) k where j.id = k.id and j.worker_id is null returning j.*),
	noted as (
		insert into shard_handover_row (batch, relation, content)
		select handover, 'job', escape_nul(row_to_json(g)) from gone g order by g.id)
	select coalesce(array_agg(g.id), '{}') into ids from gone g;
	with gone as (
		delete from job_follow_up f where bucket_of(f.limit_key, f.unique_key) = any (moved) returning f.*),
	noted as (
		insert into shard_handover_row (batch, relation, content)
		select handover, 'job_follow_up', escape_nul(row_to_json(g)) from gone g order by g.id)
	select ids || coalesce(array_agg(g.id), '{}') into ids from gone g;
	-- a job was claimed, or a follow-up became a job, while the rows were deleted
	if exists (select from jobs_of_buckets(moved))
		or exists (select from job_follow_up f where bucket_of(f.limit_key, f.unique_key) = any (moved))
	then
		raise serialization_failure using message = 'jobs of the buckets have changed while they were moved', hint = 'Try again.';
	end if;
	with gone as (delete from taken_key t where bucket_of(t.limit_key, t.unique_key) = any (moved) returning t.*)
	insert into shard_handover_row (batch, relation, content) select handover, 'taken_key', row_to_json(g) from gone g;
	with gone as (delete from job_key k where bucket_of(k.limit_key, null) = any (moved) returning k.*)
	insert into shard_handover_row (batch, relation, content) select handover, 'job_key', row_to_json(g) from gone g;
	perform release_details(handover, ids);
	insert into shard_bucket (bucket, state, target) select b, 'leaving', target from unnest(moved) b
	on conflict (bucket) do update set state = 'leaving', target = excluded.target, since = clock_timestamp();
end
$function$;
call pin_search_path('release_buckets');
