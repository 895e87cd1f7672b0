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
	kept tid[];                      -- the rows of unique keys that are kept
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
	kept := array(select t.ctid from taken_key t where bucket_of(t.limit_key, t.unique_key) = any (moved) for update skip locked);
	-- admissions have them for a moment, and lock them in this order
	perform from job_key k where bucket_of(k.limit_key, null) = any (moved) order by k.limit_key for update;
	moved := array(
		select b from unnest(moved) b
		except
		select s from staying_buckets(moved, locked) s
		except
		select bucket_of(t.limit_key, t.unique_key) from taken_key t where t.ctid not in (select k from unnest(kept) k));
	if cardinality(moved) = 0 then
		return;
	end if;

	insert into shard_handover (target, buckets) values (target, moved) returning batch into handover;
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
		delete from taken_key t where t.ctid = any (kept) and bucket_of(t.limit_key, t.unique_key) = any (moved) returning t.*)
	insert into shard_handover_row (batch, relation, content) select handover, 'taken_key', escape_nul(row_to_json(g)) from gone g;
	with gone as (delete from job_key k where bucket_of(k.limit_key, null) = any (moved) returning k.*)
	insert into shard_handover_row (batch, relation, content) select handover, 'job_key', escape_nul(row_to_json(g)) from gone g;
	perform release_details(handover, ids);
	insert into shard_bucket (bucket, state, target) select b, 'leaving', target from unnest(moved) b
	on conflict (bucket) do update set state = 'leaving', target = excluded.target, since = clock_timestamp();
end
$function$;

-- Takes jobs without keys out of this shard, to be handed over to another one. Jobs of flows and batches stay, and those that
-- others wait for, also if maintenance has not marked them as tracked yet, and those that their schedules wait for. All stay while
-- a transaction is open for long that refers to one of them: see hold_jobs.
create or replace function release_jobs(max_jobs integer, target smallint, out released integer)
	language plpgsql set enable_seqscan = off set jit = off set lock_timeout = '1s' as $function$
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
	insert into shard_handover (target, buckets) values (target, '{}') returning batch into handover;
	with awaited as materialized (
		select a as job_id from awaited_by_schedules() as a),
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

-- Takes what belongs to jobs out of this shard, with the jobs.
create or replace function release_details(handover bigint, ids bigint[]) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	relation text;
begin
	for relation in select t.name from job_table t order by t.name loop
		execute format('with gone as (delete from %1$I r where r.job_id = any ($2) returning r.*)'
			' insert into shard_handover_row (batch, relation, content) select $1, %1$L, escape_nul(row_to_json(g)) from gone g', relation)
		using handover, ids;
	end loop;
end
$function$;

-- Locks buckets to move them, until the end of the transaction, and returns those that it has locked. Waits for enqueues under way.
-- A transaction that takes longer, and has referred to a job of a bucket, keeps that bucket here: it is left out, and from then on
-- those that are in use are not waited for, because enqueues would wait for this call meanwhile. The wait is shorter than
-- deadlock_timeout: where each waits for the other, this call gives way, and the transaction continues.
create or replace function take_buckets(buckets smallint[]) returns smallint[]
	language plpgsql set lock_timeout = '500ms' as $function$
declare
	class constant integer = hashtext('shard_bucket'::regclass::oid::text); -- as in lock_bucket
	taken smallint[] = '{}';
	waited boolean = false;
	each smallint;
begin
	foreach each in array array(select unnest(buckets) order by 1) loop
		if not pg_try_advisory_xact_lock(class, each) then
			continue when waited;
			begin
				perform lock_bucket(each, true);
			exception when lock_not_available or deadlock_detected then
				waited := true;
				continue;
			end;
		end if;
		taken := taken || each;
	end loop;
	return taken;
end
$function$;

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
			or j.state <> 'failed' and j.id in (select awaited_by_schedules())
			or locked is not null and j.id not in (select l from unnest(locked) l)
		union
		select bucket_of(f.limit_key, f.unique_key) from job_follow_up f
		where bucket_of(f.limit_key, f.unique_key) = any (buckets)
			and (exists (select from job_dependency d where d.predecessor_id = f.id)
				or locked is not null and f.id not in (select l from unnest(locked) l));
end
$function$;

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

-- Forgets what has arrived at another shard.
create or replace function forget_handover(batch bigint) returns void language plpgsql as $function$
#variable_conflict use_variable
declare
	forgotten shard_handover;
begin
	delete from shard_handover h where h.batch = batch returning h.* into forgotten;
	if found then
		delete from shard_handover_row r where r.batch = batch;
		update shard_bucket s set state = 'gone', since = clock_timestamp()
		where s.bucket = any (forgotten.buckets) and s.state = 'leaving';
	end if;
end
$function$;

-- A JSON text whose strings PostgreSQL can read: it stores the escape sequence of NUL, but no function reads a text that contains it.
-- SUB, which JSON contains only as an escape sequence as well, stands before it and before itself.
create or replace function escape_nul(content json) returns json
	language sql immutable
	return case when strpos(content::text, '\u00') = 0 then content
		else regexp_replace(regexp_replace(content::text, '(?<!\\)((?:\\\\)*)\\u001a', '\1\\u001a1', 'gi'),
			'(?<!\\)((?:\\\\)*)\\u0000', '\1\\u001a0', 'g')::json end;

call pin_search_path('release_buckets', 'release_jobs', 'release_details', 'take_buckets', 'staying_buckets',
	'jobs_of_buckets', 'forget_handover');
