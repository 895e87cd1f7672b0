-- Notifies everything that waits for jobs how these ended, in the transaction in which they end: their flow, their batch, their
-- successors. Returns the queues that have jobs to claim now; limited: those have limit keys and are to be admitted first.
-- All transactions lock in one direction: job, dependencies, successors, their dependencies. If there are too many successors for
-- one statement, maintenance notifies the others. With low and high, only the successors in between are notified, and the
-- jobs are not counted among those that have ended. Only the successors of one round are locked in one order: from the second
-- round on, those that are locked may belong to a transaction that waits for this one, and maintenance notifies them as well.
create or replace function end_jobs(ids bigint[], batch_ids bigint[], outcome job_state, low bigint default null,
		high bigint default null)
	returns table (queue text, limited boolean) language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	max_successors constant integer = 20000; -- the maximum of a flow
	notified integer = 0;
	is_first boolean = true;
	waiting integer;
	ended bigint[] = ids;
	batches bigint[] = batch_ids;
	how job_state = outcome;
	from_id bigint = coalesce(low, 0);
	to_id bigint = coalesce(high, 9223372036854775807);
	released record;
begin
	while cardinality(ended) > 0 loop
		if notified > 0 or low is null then
			update flow_job m set state = how, ended_at = clock_timestamp() where m.job_id = any (ended);
			insert into batch_delta (batch_id, succeeded, failed, cancelled)
			select b, sum((how = 'succeeded')::integer), sum((how = 'failed')::integer), sum((how = 'cancelled')::integer)
			from unnest(batches) as b where b is not null group by b;
		end if;
		if how = 'failed' and (notified > 0 or low is null) then
			return query select f.queue, f.limited from enqueue_on_failure(ended) f;
		end if;
		waiting := (select count(*) from (
			select from job_dependency d where d.predecessor_id = any (ended) and d.successor_id > from_id and d.successor_id <= to_id
			limit greatest(1, max_successors + 1 - notified)) d);
		exit when waiting = 0;
		notified := notified + waiting;
		if notified > max_successors or not (is_first or lock_successors(ended)) then
			insert into job_end (job_id, outcome)
			select e, how from unnest(ended) as e where exists (select from job_dependency d where d.predecessor_id = e)
			on conflict (job_id) do update set outcome = excluded.outcome, notified_up_to = 0;
			exit;
		end if;
		select t.* into released from notify_successors(ended, how, from_id, to_id) t;
		is_first := false;
		return query select * from unnest(released.queues, released.limited);
		ended := released.failed;
		batches := released.batches;
		notified := notified + 20; -- each further round takes about as long as 20 successors
		how := 'failed';
		from_id := 0;
		to_id := 9223372036854775807;
	end loop;
end
$function$;
call pin_search_path('end_jobs');
