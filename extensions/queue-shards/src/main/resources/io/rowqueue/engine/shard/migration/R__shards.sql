-- Returns the number of a shard, and an id that none of this database's jobs exceeds. To be called in the home shard.
create or replace function register_shard(shard_name text, out shard_number smallint, out highest_id bigint)
	language plpgsql as $function$
begin
	lock table shard in share row exclusive mode;
	select s.number into shard_number from shard s where s.name = shard_name;
	if not found then
		insert into shard (number, name)
		select coalesce(max(s.number), 0) + 1, shard_name from shard s
		returning number into shard_number;
	end if;
	select max(s.last_value) into highest_id
	from (
		select last_value from job_id_seq union all select last_value from flow_id_seq union all
		select last_value from batch_id_seq) s;
end
$function$;

-- Makes this database a shard, unless it is that one already. Its new ids have the remainder shard_number modulo 1024, and
-- exceed all that there are in the home shard. Waits for transactions that have enqueued jobs.
create or replace function join_shards(shard_number smallint, shard_name text, highest_id bigint) returns void
	language plpgsql as $function$
declare
	me shard_identity;
	first bigint;
begin
	lock table shard_identity in share row exclusive mode;
	select * into me from shard_identity;
	if found then
		if me.number <> shard_number or me.name <> shard_name then
			raise object_not_in_prerequisite_state using
				message = format('this database is the shard %L with the number %s, and cannot be the shard %L with the number %s',
					me.name, me.number, shard_name, shard_number),
				hint = 'The settings of two shards were exchanged, or the database was restored from a copy of another shard.';
		end if;
		return;
	end if;
	-- waits for transactions that have taken an id
	alter sequence job_id_seq increment by 1024;
	alter sequence flow_id_seq increment by 1024;
	alter sequence batch_id_seq increment by 1024;
	select (max(s.last_value) / 1024 + 1) * 1024 + shard_number into first
	from (
		select last_value from job_id_seq union all select last_value from flow_id_seq union all
		select last_value from batch_id_seq union all select highest_id) s;
	execute format('alter sequence job_id_seq restart with %s', first);
	execute format('alter sequence flow_id_seq restart with %s', first);
	execute format('alter sequence batch_id_seq restart with %s', first);
	insert into shard_identity (number, name, first_id) values (shard_number, shard_name, first);
end
$function$;

-- Keeps jobs from being moved to another shard until the end of the transaction, which stores something that refers to them. What
-- the caller reads after this call stays true. In a snapshot of the whole transaction, a job could be here that has been moved since:
-- the call is refused. Does nothing where the queue has one database. The rows of jobs are not locked,
-- because their end must not wait for the caller.
create or replace function on_hold_shards(ids bigint[]) returns void
	language plpgsql set enable_seqscan = off set jit = off set lock_timeout = '5s' as $function$
#variable_conflict use_variable
declare
	no_bucket constant smallint = 4096; -- jobs without keys, as in release_jobs
	wanted smallint[];
	held smallint[] = '{}';
	each smallint;
begin
	if not exists (select from shard_identity) then
		return;
	end if;
	if current_setting('transaction_isolation') <> 'read committed' then
		raise object_not_in_prerequisite_state using
			message = format('a transaction with the isolation level %s cannot signal jobs of a queue that has several databases, nor'
				' enqueue jobs that run after them', current_setting('transaction_isolation')),
			detail = 'Its snapshot may contain jobs that have been moved to another database since.',
			hint = 'Use READ COMMITTED in this transaction, or signal and enqueue outside of it.';
	end if;
	for i in 1..10 loop -- the keys of a job may have been replaced while this call waited
		wanted := array(
			select coalesce(bucket_of(k.limit_key, k.unique_key), no_bucket) from (
				select j.limit_key, j.unique_key from job j where j.id = any (ids)
				union all
				select f.limit_key, f.unique_key from job_follow_up f where f.id = any (ids)) k
			group by 1 order by 1);
		exit when wanted <@ held;
		foreach each in array wanted loop
			perform lock_bucket(each, false);
		end loop;
		held := held || wanted;
	end loop;
end
$function$;

-- Returns whether this shard owns a bucket, and keeps it from being moved until the end of the transaction. The isolation
-- must be read committed: the state is read after the lock was acquired.
create or replace function hold_bucket(bucket smallint) returns boolean
	language plpgsql set lock_timeout = '5s' as $function$
begin
	perform lock_bucket(bucket, false);
	return owns_bucket(bucket);
end
$function$;

-- Whether this shard owns a bucket. One that was never moved belongs to the home shard, which has the number 1.
create or replace function owns_bucket(bucket smallint) returns boolean language plpgsql as $function$
begin
	return coalesce(
		(select s.state = 'owned' from shard_bucket s where s.bucket = owns_bucket.bucket),
		exists (select from shard_identity i where i.number = 1));
end
$function$;

-- Locks a bucket until the end of the transaction: shared by those who enqueue jobs with its keys or refer to
-- its jobs, alone by those who move it.
create or replace function lock_bucket(bucket smallint, alone boolean) returns void language plpgsql as $function$
declare
	class constant integer = hashtext('shard_bucket'::regclass::oid::text); -- another one in each schema
begin
	if alone then
		perform pg_advisory_xact_lock(class, bucket);
	else
		perform pg_advisory_xact_lock_shared(class, bucket);
	end if;
end
$function$;

create or replace view own_ids as
	select i.number, i.first_id, array(select s.number from shard s) as numbers from shard_identity i;

-- The jobs that schedules wait for, if there are schedules.
create or replace function awaited_by_schedules() returns setof bigint
	language plpgsql set enable_seqscan = off set jit = off as $function$
begin
	if to_regclass('schedule') is not null then
		return query execute $$select s.last_job_id from schedule s where s.overlap = 'skip' and s.last_job_id is not null$$;
	end if;
end
$function$;

-- The bucket of a job, from its keys.
create or replace function bucket_of(limit_key text, unique_key text) returns smallint
	language sql immutable
	return ('x' || left(md5(coalesce(limit_key, unique_key)), 3))::bit(12)::integer::smallint;

call pin_search_path('register_shard', 'join_shards', 'on_hold_shards', 'hold_bucket', 'owns_bucket', 'lock_bucket', 'awaited_by_schedules');
