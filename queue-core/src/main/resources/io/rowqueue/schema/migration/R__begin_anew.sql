-- Forgets what a job has from its former request, which was replaced, a request to cancel it included, and from its attempts up to a
-- lease. What these still record does not count.
create or replace function begin_anew(id bigint, token integer) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	delete from job_tag t where t.job_id = begin_anew.id;
	delete from job_on_failure o where o.job_id = begin_anew.id;
	delete from job_signal s where s.job_id = begin_anew.id;
	delete from cancel_request c where c.job_id = begin_anew.id;
	if token > 0 then
		delete from job_wait w where w.job_id = begin_anew.id;
		delete from job_progress p where p.job_id = begin_anew.id;
		delete from job_step s where s.job_id = begin_anew.id;
		insert into job_step (job_id, name, lease, finished_at) values (begin_anew.id, '', token, clock_timestamp());
	end if;
end
$function$;
call pin_search_path('begin_anew');
