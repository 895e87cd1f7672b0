-- Takes buckets and their jobs out of this shard, to be handed over to another one. From the commit on, enqueues of
-- their keys wait until they have arrived there. Leaves out buckets that others use for long (see take_buckets), those that
-- cannot be moved (see staying_buckets), and those that have a job, a follow-up or a kept key that another transaction has locked, such
-- as a claim. All rows are locked before it is decided which buckets leave: what is read then stays true. A job that a transaction
-- of this database stores from then on stays here, as if it had been stored after the move.
create or replace function release_buckets(buckets smallint[], target smallint, out moved smallint[])
	language plpgsql set enable_seqscan = off set jit = off set lock_timeout = '2s' as $function$
#variable_conflict use_variable
declare
	handover bigint;
	locked bigint[];                 -- jobs and follow-ups
	keys text[];                     -- unique keys that are kept, whose rows are locked
	ids bigint[];
begin
	moved := array(select b from unnest(take_buckets(buckets)) b where owns_bucket(b));
	moved := array(select b from unnest(moved) b except select s from staying_buckets(moved) s);
	if cardinality(moved) = 0 then
		return;
	end if;
	locked := array(
		select j.id from job j where j.id = any (array(select k.id from jobs_of_buckets(moved) k)) for update skip locked)
		|| array(select f.id from job_follow_up f where bucket_of(f.limit_key, f.unique_key) = any (moved) for update skip locked);
	keys := array(select t.unique_key from taken_key t where bucket_of(t.limit_key, t.unique_key) = any (moved) for update skip locked);
	-- admissions have them for a moment, and lock them in this order
	perform from job_key k where bucket_of(k.limit_key, null) = any (moved) order by k.limit_key for update;
	moved := array(
		select b from unnest(moved) b
		except
		select s from staying_buckets(moved, locked) s
		except
		select bucket_of(t.limit_key, t.unique_key) from taken_key t where t.unique_key not in (select k from unnest(keys) k));
	if cardinality(moved) = 0 then
		return;
	end if;

	insert into shard_handover (batch, target, buckets) overriding system value values (next_handover(), target, moved)
	returning batch into handover;
	with gone as (
		delete from job j where j.id = any (locked) and bucket_of(j.limit_key, j.unique_key) = any (moved) returning j.*),
	noted as (
		insert into shard_handover_row (batch, relation, content)
		select handover, 'job', escape_nul(row_to_json(g)) from gone g order by g.id)
	select coalesce(array_agg(g.id), '{}') into ids from gone g;
	with gone as (
		delete from job_follow_up f where f.id = any (locked) and bucket_of(f.limit_key, f.unique_key) = any (moved) returning f.*),
	noted as (
		insert into shard_handover_row (batch, relation, content)
		select handover, 'job_follow_up', escape_nul(row_to_json(g)) from gone g order by g.id)
	select ids || coalesce(array_agg(g.id), '{}') into ids from gone g;
	with gone as (
		delete from taken_key t where t.unique_key = any (keys) and bucket_of(t.limit_key, t.unique_key) = any (moved) returning t.*)
	insert into shard_handover_row (batch, relation, content) select handover, 'taken_key', escape_nul(row_to_json(g)) from gone g;
	with gone as (delete from job_key k where bucket_of(k.limit_key, null) = any (moved) returning k.*)
	insert into shard_handover_row (batch, relation, content) select handover, 'job_key', escape_nul(row_to_json(g)) from gone g;
	perform release_details(handover, ids);
	insert into shard_bucket (bucket, state, target) select b, 'leaving', target from unnest(moved) b
	on conflict (bucket) do update set state = 'leaving', target = excluded.target, since = clock_timestamp();
end
$function$;
call pin_search_path('release_buckets');
