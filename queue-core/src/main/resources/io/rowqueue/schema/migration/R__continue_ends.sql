-- Continues to notify the successors of jobs that have ended, up to a maximum. Returns the queues that have jobs to claim now,
-- whether these have limit keys and are to be admitted first, and a row of nulls if it is to be called again. If another
-- transaction keeps a successor locked, the job before it is left for the next call, as in settle_dependencies.
create or replace function continue_ends(max_successors integer) returns table (queue text, limited boolean)
	language plpgsql set enable_seqscan = off set jit = off set lock_timeout = '100ms' as $function$
#variable_conflict use_column
declare
	left_over integer = max_successors;
	each job_end;
	next record;
begin
	for each in select * from job_end e order by e.job_id for update skip locked loop
		select count(*) as successors, max(d.successor_id) as last into next from (
			select d.successor_id from job_dependency d
			where d.predecessor_id = each.job_id and d.successor_id > each.notified_up_to
			order by d.successor_id limit left_over) d;
		begin
			if next.successors < left_over then
				delete from job_end e where e.job_id = each.job_id;
			else
				update job_end e set notified_up_to = next.last where e.job_id = each.job_id;
			end if;
			return query select * from end_jobs(array[each.job_id], null, each.outcome, each.notified_up_to, next.last);
		exception when lock_not_available then
			continue; -- the next call retries it
		end;
		left_over := left_over - next.successors;
		if left_over = 0 then
			return next;
			return;
		end if;
	end loop;
end
$function$;
call pin_search_path('continue_ends');
