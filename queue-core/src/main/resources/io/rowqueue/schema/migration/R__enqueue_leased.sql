-- Enqueues a plain job that is due, leased to a worker of the caller's process, which starts it after the commit. The job is
-- queued instead if a claim could not take it now, and where a lease could outlive what the caller sees: in a snapshot of
-- the whole transaction, which may be older than a pause, and inside a savepoint, which may be rolled back alone. A role
-- that may only insert jobs queues them.
create or replace function enqueue_leased(worker bigint, queue text, type text, priority smallint, max_attempts smallint,
		headers json, payload json, out added job, out claim_id bigint)
	language plpgsql as $function$
#variable_conflict use_variable
declare
	job_id constant bigint = nextval('job_id_seq');
	holder bigint;
	outermost boolean;
begin
	if current_setting('transaction_isolation') = 'read committed' and has_table_privilege('claim', 'insert')
		and has_table_privilege('claim', 'delete') and has_table_privilege('worker', 'select') and has_table_privilege('pause', 'select')
		and has_table_privilege('job_limit', 'select')
	then
		select w.id into holder from worker w
		where w.id = worker and w.dead_at is null
			and not exists (
				select from pause p where (p.kind, p.name) in (('queue', queue), ('type', type)) and is_closed(p))
			and not exists (select from job_limit l where (l.kind, l.name) in (('queue', queue), ('type', type)));
	end if;
	if holder is not null then
		insert into claim (worker_id, job_ids) values (holder, array[job_id])
		returning claim.id, claim.xmin = pg_current_xact_id()::xid into claim_id, outermost;
		if not outermost then
			delete from claim c where c.worker_id = holder and c.id = claim_id;
			holder := null;
			claim_id := null;
		end if;
	end if;
	insert into job as j (id, queue, type, priority, max_attempts, headers, payload, run_at, order_at, state, attempt, lease,
		worker_id, leased_at)
	values (job_id, queue, type, priority, max_attempts, headers, payload, statement_timestamp(), statement_timestamp(),
		case when holder is null then 'queued' else 'starting' end::job_state, (holder is not null)::integer,
		(holder is not null)::integer, holder, case when holder is not null then clock_timestamp() end)
	returning j.* into added;
end
$function$;
call pin_search_path('enqueue_leased');
