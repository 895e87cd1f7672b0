-- Keeps jobs from being moved to another shard until the end of the transaction, which stores something that refers to them. What
-- the caller reads after this call stays true. In a snapshot of the whole transaction, a job could be here that has been moved since:
-- the call is refused. Does nothing where the queue has one database. The rows of jobs are not locked,
-- because their end must not wait for the caller.
create or replace function hold_jobs(ids bigint[]) returns void
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
call pin_search_path('hold_jobs');
