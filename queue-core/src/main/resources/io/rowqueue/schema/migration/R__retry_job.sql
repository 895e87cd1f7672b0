-- Queues a failed job again, or lets it wait for its predecessors again if it failed with one of them. Successors that
-- failed with it wait for it again. Returns its queue and state; no row if it has not
-- failed, or another job has taken or kept its unique key meanwhile.
create or replace function retry_job(id bigint) returns table (queue text, state text)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	back bigint[];
	batches bigint[];
	again bigint[];
	key text;
begin
	perform from job j where j.id = retry_job.id for update;
	begin
		update job j
		set state = (case when exists (select from job_dependency d where d.successor_id = j.id) then 'blocked'
				else initial_state(statement_timestamp(), j.limit_key)::text end)::job_state,
			attempt = 0, deaths = null, cancel_requested = false, run_at = statement_timestamp(),
			order_at = deadline(statement_timestamp(), j.tolerance)
		where j.id = retry_job.id and j.state::text = 'failed'
			and not exists (
				select from job other where other.unique_key = j.unique_key and other.indexed_state <> 'failed')
		returning j.queue, j.state::text, j.unique_key into queue, state, key;
		if not found then
			return;
		end if;
		-- after the wait for a transaction that had the key
		if exists (
			select from taken_key t where t.unique_key = key and t.taken_until > clock_timestamp() and t.job_id <> retry_job.id)
		then
			raise exception using errcode = 'PQ001', message = 'another job keeps the key';
		end if;
	exception when unique_violation or sqlstate 'PQ001' then
		return;
	end;
	return next;
	-- it waits again for signals that it has waited for in vain
	delete from job_wait w using job_signal s
	where w.job_id = retry_job.id and w.kind = 'signal' and s.job_id = w.job_id and s.name = w.name and s.timed_out;
	delete from job_signal s where s.job_id = retry_job.id and s.timed_out;
	back := array[retry_job.id];
	batches := array(select j.batch_id from job j where j.id = retry_job.id);
	while cardinality(back) > 0 loop
		delete from job_end e where e.job_id = any (back); -- successors that were not notified still wait
		update flow_job m set state = null, ended_at = null where m.job_id = any (back);
		insert into batch_delta (batch_id, failed) select b, -count(*) from unnest(batches) as b where b is not null group by b;
		again := array(select d.successor_id from job_dependency d
			where d.predecessor_id = any (back) and d.when_failed = 'fail');
		perform from job j where j.id = any (again) order by j.id for update;
		with revived as (
			update job j set state = 'blocked', leased_at = null, last_error = null
			where j.id = any (again) and j.state::text = 'failed' and not exists (
				select from job_dependency d join job p on p.id = d.predecessor_id
				where d.successor_id = j.id and d.when_failed = 'fail' and p.state::text = 'failed')
			returning j.id, j.batch_id)
		select array_agg(r.id), array_agg(r.batch_id) into back, batches from revived r;
	end loop;
end
$function$;
call pin_search_path('retry_job');
