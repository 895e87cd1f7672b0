-- Sends a signal to a job: see docs/waits.md.
create or replace function signal(job_id bigint, name text, payload json default null, wake_up boolean default true)
	returns text language plpgsql security definer as $function$
#variable_conflict use_column
declare
	sent record;
begin
	if job_id is null then
		raise invalid_parameter_value using message = 'signal: job_id must not be null';
	end if;
	if name is null or name !~ '\S' or length(name) > 200 then
		raise invalid_parameter_value using message = 'signal: name must have 1 to 200 characters and not be blank';
	end if;
	if octet_length(payload::text) > 16777216 then
		raise invalid_parameter_value using message = format('signal: the payload has %s bytes, and 16777216 are allowed',
			octet_length(payload::text));
	end if;
	select * into sent from send_signal(job_id, name, payload);
	if wake_up and sent.queue is not null then
		perform wake_up(sent.queue, sent.limited);
	end if;
	return sent.outcome;
end
$function$;
comment on function signal is 'Sends a signal to a job in the transaction of the caller';
revoke all on function signal from public;

-- Stores a signal in the transaction of the caller, unless there is one with this name that the handler has read or may read, and makes the job due that waits for it. It never waits for the
-- lock of the job: if another transaction has it, or the job has not begun to wait, maintenance looks at the signal
-- once it is committed. Returns what it did, and the queue if a job is due now; the job stays in this shard until the
-- end of the transaction; limited: it has a limit key and is to be admitted first.
create or replace function send_signal(job_id bigint, name text, payload json,
		out outcome text, out queue text, out limited boolean)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	perform call_parts('hold', array[send_signal.job_id]);
	while outcome is null loop -- a signal that is in the way may be forgotten, with its job or because that begins anew
		if not exists (select from job j where j.id = send_signal.job_id)
				and not exists (select from job_follow_up f where f.id = send_signal.job_id) then
			outcome := 'no_such_job';
			return;
		end if;
		insert into job_signal (job_id, name, payload)
		values (send_signal.job_id, send_signal.name, send_signal.payload)
		on conflict do nothing;
		if not found then
			update job_signal s
			set payload = send_signal.payload, sent_at = clock_timestamp(), pending = true, unreadable = null
			where s.job_id = send_signal.job_id and s.name = send_signal.name and s.unreadable;
		end if;
		if found then
			outcome := 'stored';
		else
			select case when s.timed_out then 'too_late' else 'already_sent' end into outcome from job_signal s
			where s.job_id = send_signal.job_id and s.name = send_signal.name;
			if found then
				return;
			end if;
		end if;
	end loop;
	select r.queue, r.limited into queue, limited from resume_signalled(array[send_signal.job_id], false) r;
end
$function$;

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

call pin_search_path('signal', 'send_signal', 'resume_signalled');
