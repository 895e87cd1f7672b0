-- Stores jobs with keys that an outbox has handed over. If the unique key of a job is taken, what its enqueue asked for is done
-- now. A job whose bucket was moved meanwhile is handed over to the shard that has it. The isolation must be read committed: who
-- owns the bucket is read after the lock was acquired.
create or replace function receive_keyed_jobs(content json) returns void
	language plpgsql set enable_seqscan = off set jit = off set lock_timeout = '2s' as $function$
#variable_conflict use_variable
declare
	each json;
	numbered json;
	arrived job;
	bucket smallint;
	moved shard_bucket;
	stored bigint;
	outcome text;
	handover bigint;
	detail record;
begin
	for each in select e from json_array_elements(content) e loop
		arrived := json_populate_record(null::job, each -> 'job');
		bucket := bucket_of(arrived.limit_key, arrived.unique_key);
		perform lock_bucket(bucket, false);
		if not owns_bucket(bucket) then
			select * into moved from shard_bucket s where s.bucket = bucket;
			if moved.state = 'leaving' then
				raise object_not_in_prerequisite_state using message = 'a bucket is leaving this shard', hint = 'Try again.';
			end if;
			insert into shard_handover (batch, target, buckets, keys) overriding system value
			values (next_handover(), coalesce(moved.target, 1), '{}', array[bucket])
			returning batch into handover;
			insert into shard_handover_row (batch, relation, content) values (handover, 'keyed_job', each);
			continue;
		end if;
		numbered := renumber_jobs(json_build_array(each -> 'job'));
		arrived := json_populate_record(null::job, numbered -> 0);
		outcome := 'created';
		stored := arrived.id;
		if arrived.unique_key is null then
			perform receive_rows('job', numbered);
		else
			begin
				select k.id, k.outcome into stored, outcome
				from enqueue_keyed(row(arrived.queue, arrived.type, arrived.priority, arrived.max_attempts, arrived.unique_key,
					arrived.run_at, arrived.tolerance, arrived.unique_for, unescape_nul(arrived.payload),
					unescape_nul(arrived.headers), arrived.limit_key, arrived.limit_units,
					arrived.enqueued_by)::job_request, each ->> 'duplicates',
					(each ->> 'kept_for')::interval, (each ->> 'at_most')::interval) k;
			exception when insufficient_privilege then
				outcome := 'kept'; -- a role must not change the jobs of another one
			end;
			-- the new job is not visible yet: it keeps the id that its enqueue returned
			if outcome = 'created' then
				update job j set id = arrived.id, created_at = arrived.created_at where j.id = stored;
			elsif outcome = 'follow_up' then
				update job_follow_up f set id = arrived.id, created_at = arrived.created_at where f.id = stored;
			end if;
			if outcome in ('created', 'follow_up') then
				update taken_key t set job_id = arrived.id where t.unique_key = arrived.unique_key and t.job_id = stored;
				stored := arrived.id;
			end if;
		end if;
		if outcome in ('created', 'follow_up', 'replaced') then
			if outcome = 'replaced' then
				delete from job_expiry e where e.job_id = stored;
			end if;
			for detail in
				select d.key as relation, d.value as content from json_each(each -> 'details') d
				where json_typeof(d.value) = 'array'
			loop
				perform receive_rows(detail.relation, detail.content);
				if outcome = 'replaced' then
					if detail.relation = 'job_signal' then -- each job receives a name once
						delete from job_signal s
						where s.job_id = arrived.id
							and exists (select from job_signal o where o.job_id = stored and o.name = s.name);
					end if;
					execute format('update %I set job_id = $1 where job_id = $2', detail.relation) using stored, arrived.id;
				end if;
				if detail.relation = 'job_on_failure' then
					update job j set tracked = true where j.id = stored;
				end if;
			end loop;
			perform wake_up(arrived.queue, arrived.limit_key is not null);
		end if;
	end loop;
end
$function$;
call pin_search_path('receive_keyed_jobs');
