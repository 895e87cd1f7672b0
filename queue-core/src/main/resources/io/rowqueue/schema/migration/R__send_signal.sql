-- Stores a signal in the transaction of the caller, and makes the job due that waits for it. It never waits for the
-- lock of the job: if another transaction has it, or the job has not begun to wait, maintenance looks at the signal
-- once it is committed. Returns what it did, and the queue if a job is due now; the job stays in this shard until the
-- end of the transaction; limited: it has a limit key and is to be admitted first.
create or replace function send_signal(job_id bigint, name text, payload json,
		out outcome text, out queue text, out limited boolean)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	perform hold_jobs(array[send_signal.job_id]);
	while outcome is null loop -- a signal that is in the way may be forgotten, with its job or because that begins anew
		if not exists (select from job j where j.id = send_signal.job_id)
				and not exists (select from job_follow_up f where f.id = send_signal.job_id) then
			outcome := 'no_such_job';
			return;
		end if;
		insert into job_signal (job_id, name, payload)
		values (send_signal.job_id, send_signal.name, send_signal.payload)
		on conflict do nothing;
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
call pin_search_path('send_signal');
