-- Makes jobs due that wait for a signal which was sent. Returns their queues, and whether they have limit keys and are to be
-- admitted first. Rows that others have locked are left for the next time.
-- committed: whether the caller reads only signals of committed transactions. Only then it settles those that no job waits for.
--
-- A signal stays pending as long as a worker holds its job: the job may be about to wait, and the statement that lets it
-- wait may have begun before the signal was committed. It is settled when it is committed, no worker holds the job, and the job
-- does not wait for it: a handler that asks for the signal later is run by a later claim, and sees it. The transaction that sends
-- a signal cannot know that: until it commits, the job may be claimed and begin to wait.
create or replace function resume_signalled(ids bigint[], committed boolean) returns table (queue text, limited boolean)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	return query
		with sent as materialized (
			select s.job_id, s.name, w.job_id is not null as waits
			from job_signal s
				left join job j on j.id = s.job_id
				left join job_wait w on w.job_id = j.id and w.kind = 'signal' and w.name = s.name and w.lease = j.lease
					and j.state::text = 'scheduled' and not s.timed_out
			where s.job_id = any (ids) and s.pending and j.worker_id is null),
		waiting as materialized (
			select j.ctid as tid from job j
			where j.id = any (array(select sent.job_id from sent where sent.waits)) and j.indexed_state = 'scheduled'
			for no key update skip locked),
		-- not a row that has changed since the statement began: it remains for the next time as well
		resumed as (
			update job j
			set run_at = statement_timestamp(), order_at = deadline(statement_timestamp(), j.tolerance),
				state = initial_state(statement_timestamp(), j.limit_key)
			where j.ctid = any (array(select waiting.tid from waiting))
			returning j.id, j.queue, j.limit_key),
		settled as (
			update job_signal s set pending = false from sent
			where s.job_id = sent.job_id and s.name = sent.name
				and case when sent.waits then sent.job_id in (select resumed.id from resumed) else committed end)
		select distinct r.queue, r.limit_key is not null from resumed r;
end
$function$;
call pin_search_path('resume_signalled');
