-- Takes jobs out of this outbox, to be handed over to other shards: those with a key to the owner of its bucket, all others to
-- plain_target. An owner of 0 cannot be reached. Jobs with keys of a bucket wait until those before them have arrived. Returns
-- how many were taken.
create or replace function release_outbox(max_jobs integer, owners smallint[], plain_target smallint, out released integer)
	language plpgsql set enable_seqscan = off set jit = off set lock_timeout = '2s' as $function$
#variable_conflict use_variable
declare
	class constant integer = hashtext('shard_policy'::regclass::oid::text); -- another one in each schema
	busy smallint[];
	plain bigint[];
	keyed bigint[];
	later bigint[];
	each smallint;
	handover bigint;
	taken bigint;
begin
	perform pg_advisory_xact_lock(class, 0); -- one relay at a time, which sees what those before have taken
	busy := array(select distinct k from shard_handover h, unnest(h.keys) k);

	plain := array(
		select j.id from job j
		where j.unique_key is null and j.limit_key is null and j.worker_id is null and j.batch_id is null
			and j.state in ('queued', 'scheduled') and plain_target > 0
		order by j.id limit max_jobs for update skip locked);
	keyed := array(
		select j.id from job j
		where (j.unique_key is not null or j.limit_key is not null) and j.worker_id is null and j.batch_id is null
			and j.state in ('queued', 'scheduled', 'blocked')
			and bucket_of(j.limit_key, j.unique_key) <> all (busy)
			and owners[bucket_of(j.limit_key, j.unique_key) + 1] > 0
		order by j.id limit max_jobs for update skip locked);
	-- what runs after a job that has left; one that was left behind is released first
	later := array(
		select f.id from job_follow_up f
		where bucket_of(f.limit_key, f.unique_key) <> all (busy) and owners[bucket_of(f.limit_key, f.unique_key) + 1] > 0
			and not exists (select from job j where j.unique_key = f.unique_key and j.indexed_state <> 'failed')
			and not exists (select from job_follow_up p where p.unique_key = f.unique_key and p.id < f.id)
		order by f.id limit max_jobs for update skip locked);
	released := cardinality(plain) + cardinality(keyed) + cardinality(later);

	if cardinality(plain) > 0 then
		insert into shard_handover (batch, target, buckets) overriding system value values (next_handover(), plain_target, '{}')
		returning batch into handover;
		with gone as (delete from job j where j.id = any (plain) returning j.*)
		insert into shard_handover_row (batch, relation, content)
		select handover, 'job', escape_nul(row_to_json(g)) from gone g order by g.id;
		perform release_details(handover, plain);
	end if;
	for each in
		select distinct owners[b + 1] from (
			select bucket_of(j.limit_key, j.unique_key) b from job j where j.id = any (keyed)
			union all
			select bucket_of(f.limit_key, f.unique_key) from job_follow_up f where f.id = any (later)) k
	loop
		insert into shard_handover (batch, target, buckets, keys) overriding system value
		select next_handover(), each, '{}', array_agg(distinct b) from (
			select bucket_of(j.limit_key, j.unique_key) b from job j where j.id = any (keyed)
			union all
			select bucket_of(f.limit_key, f.unique_key) from job_follow_up f where f.id = any (later)) k
		where owners[b + 1] = each
		returning batch into handover;
		with gone as (
			delete from job j
			where j.id = any (keyed) and owners[bucket_of(j.limit_key, j.unique_key) + 1] = each
			returning j.id, row_to_json(j) as content, null as duplicates),
		followed as (
			delete from job_follow_up f
			where f.id = any (later) and owners[bucket_of(f.limit_key, f.unique_key) + 1] = each
			returning f.id, row_to_json(f) as content, 'run_again' as duplicates),
		policy as (
			delete from shard_policy p where p.job_id in (select id from gone union all select id from followed) returning p.*),
		noted as (
			insert into shard_handover_row (batch, relation, content)
			select handover, 'keyed_job', escape_nul(json_build_object('job', g.content, 'duplicates',
				coalesce(p.duplicates, g.duplicates, 'keep'), 'kept_for', p.kept_for, 'at_most', p.at_most,
				'details', job_details(g.id)))
			from (select * from gone union all select * from followed) g left join policy p on p.job_id = g.id
			order by g.id)
		select count(*) into taken from gone;
	end loop;
	delete from job_tag r where r.job_id = any (keyed || later);
	delete from job_expiry r where r.job_id = any (keyed || later);
	delete from job_on_failure r where r.job_id = any (keyed || later);
	delete from job_signal r where r.job_id = any (keyed || later);
end
$function$;
call pin_search_path('release_outbox');
