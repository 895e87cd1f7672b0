-- Lets jobs that this transaction has stored as blocked wait for predecessors that have not ended. A predecessor that this
-- transaction has stored as well is marked as tracked; another one may be ending now, and the caller must not delay its end.
-- One that has not succeeded is left to maintenance, as is one that is gone although all successes are kept: it was erased, or its
-- time has passed, since the caller has looked for it (find_unknown_predecessor).
create or replace function add_dependencies(predecessors bigint[], successors bigint[], policies text[], kept boolean)
	returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	me constant xid = pg_current_xact_id()::xid;
begin
	perform call_parts('hold', predecessors);
	update job j set tracked = true where j.id = any (predecessors) and j.xmin = me and j.tracked is null;
	insert into job_dependency (predecessor_id, successor_id, when_failed, unsure)
	select u.predecessor, u.successor, u.policy, p.id is null or p.xmin <> me
	from unnest(predecessors, successors, policies) as u (predecessor, successor, policy)
	left join job p on p.id = u.predecessor
	left join job_follow_up f on f.id = u.predecessor
	left join lateral (
		select h.state from job_finished h where h.id = u.predecessor and p.id is null and f.id is null limit 1) h on true
	where p.id is not null or f.id is not null
		or u.policy <> 'run' and case when h.state is null then kept else h.state <> 'succeeded' end
	on conflict do nothing;
	perform release_blocked(successors);
end
$function$;

-- Returns the first of the given ids that belongs to no job; those that have not ended stay in this shard until the end of the
-- transaction. kept: all succeeded jobs are in the history; if they are not, each id that was ever assigned may belong to a job
-- that succeeded.
create or replace function find_unknown_predecessor(ids bigint[], kept boolean) returns bigint
	language plpgsql set enable_seqscan = off set jit = off as $function$
begin
	perform call_parts('hold', ids);
	return (
		select each from unnest(ids) as each
		where not exists (select from job j where j.id = each)
			and not exists (select from job_follow_up f where f.id = each)
			and not exists (select from job_finished f where f.id = each)
			and (kept or each > (select last_value from job_id_seq))
		order by each limit 1);
end
$function$;

-- Whether the handler of a job waits for other jobs.
create or replace function awaits_jobs(waiter job) returns boolean
	language sql stable
	return waiter.indexed_state = 'scheduled' and exists (
		select from job_wait w where w.job_id = waiter.id and w.kind = 'jobs' and w.lease = waiter.lease);

-- Makes jobs claimable that are blocked, or whose handlers wait for jobs, and that wait for nothing any more. Returns their queues, and whether they have limit keys and are
-- to be admitted first. The rows are locked first, so that the second statement sees all that was committed meanwhile.
create or replace function release_blocked(ids bigint[]) returns table (queue text, limited boolean)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	perform from job j where j.id = any (ids) order by j.id for update;
	return query
		with released as (
			update job j
			set run_at = greatest(case j.state::text when 'blocked' then j.run_at end, clock_timestamp()), -- behind the jobs that wait already
				order_at = deadline(greatest(case j.state::text when 'blocked' then j.run_at end, clock_timestamp()), j.tolerance),
				state = initial_state(case j.state::text when 'blocked' then j.run_at else clock_timestamp() end, j.limit_key)
			where j.id = any (ids) and (j.state::text = 'blocked' and j.awaits_key is null or awaits_jobs(j))
				and not exists (select from job_dependency d where d.successor_id = j.id)
				and not exists (select from batch_callback c join batch b on b.id = c.batch_id
					where c.job_id = j.id and b.finished_at is null)
			returning j.queue, j.state, j.limit_key, j.run_at)
		select distinct r.queue, r.limit_key is not null from released r
		where r.state = 'queued' or (r.limit_key is not null and r.run_at <= clock_timestamp());
end
$function$;

-- Settles dependencies on jobs that existed before and that are committed since: marks predecessors that have not
-- ended, so that their end reads this table, and notifies the successors of those that have. Returns the queues that
-- have jobs to claim now, whether these have limit keys and are to be admitted first, and a row of nulls if it is to be
-- called again. A job that failed or was cancelled and is not kept must not count as one that succeeded: only where
-- some application does not keep all successes, a job that is not found is one that succeeded. What another transaction has locked
-- for longer, such as a successor that a caller's transaction changes, is left for the next time and keeps nothing else waiting. The
-- wait is shorter than deadlock_timeout: such a transaction may wait for a row that this one has locked.
create or replace function settle_dependencies(max_dependencies integer, after bigint default 0) returns table (queue text, limited boolean)
	language plpgsql set enable_seqscan = off set jit = off set lock_timeout = '100ms' as $function$
#variable_conflict use_column
declare
	there bigint[];
	gone bigint[];
	settled integer = 0;
	each record;
	one bigint;
begin
	-- A locked predecessor may be ending without having seen the dependency: it is checked next time, and does not count,
	-- because predecessors that are locked for long would hide all others.
	with recursive unsure as (
		(select d.predecessor_id as id from job_dependency d where d.unsure and d.successor_id > after
		order by d.predecessor_id limit 1)
		union all
		select next.id from unsure cross join lateral (
			select d.predecessor_id as id from job_dependency d
			where d.unsure and d.successor_id > after and d.predecessor_id > unsure.id order by d.predecessor_id limit 1) next)
	select array_agg(l.id) into there from (
		select j.id from unsure cross join lateral (
			select j.id from job j where j.id = unsure.id for update skip locked) j
		where not exists (select from job_end e where e.job_id = unsure.id)
		limit max_dependencies) l;
	update job j set tracked = true where j.id = any (there) and j.tracked is null;
	for each in
		with sure as (
			update job_dependency d set unsure = false
			where d.ctid = any (array(
				select d.ctid from job_dependency d where d.unsure and d.predecessor_id = any (there)
				order by d.predecessor_id, d.successor_id limit max_dependencies for update skip locked))
			returning d.predecessor_id, d.successor_id)
		-- failed predecessors notify their successors together, because each call has a cost
		select j.state::text = 'failed' as failed, array_agg(distinct j.id) as ids, count(*) as successors,
			min(s.successor_id) as low, max(s.successor_id) as high
		from sure s join job j on j.id = s.predecessor_id group by 1
	loop
		settled := settled + each.successors;
		if each.failed then
			begin
				return query select * from end_jobs(each.ids, null, 'failed', each.low - 1, each.high);
			exception when lock_not_available then
				insert into job_end (job_id, outcome) select e, 'failed'::job_state from unnest(each.ids) as e on conflict do nothing;
			end;
		end if;
	end loop;

	with recursive unsure as (
		(select d.predecessor_id as id from job_dependency d where d.unsure and d.successor_id > after
		order by d.predecessor_id limit 1)
		union all
		select next.id from unsure cross join lateral (
			select d.predecessor_id as id from job_dependency d
			where d.unsure and d.successor_id > after and d.predecessor_id > unsure.id order by d.predecessor_id limit 1) next)
	select array_agg(l.id) into gone from (
		select unsure.id from unsure
		where not exists (select from job j where j.id = unsure.id)
			and not exists (select from job_follow_up f where f.id = unsure.id)
			and not exists (select from job_end e where e.job_id = unsure.id)
		limit max_dependencies) l;
	for each in
		select array_agg(g.id) as ids, g.state from (
			select l.id, coalesce((select h.state from job_finished h where h.id = l.id limit 1),
				case when exists (select from worker w where 'history:partial' = any (w.declarations))
					then 'succeeded'::job_state end) as state
			from unnest(gone) as l (id)) g
		group by g.state
	loop
		begin
			return query select * from end_jobs(each.ids, null, each.state, 0);
			settled := settled + cardinality(each.ids);
		exception when lock_not_available then
			foreach one in array each.ids loop
				begin
					return query select * from end_jobs(array[one], null, each.state, 0);
					settled := settled + 1;
				exception when lock_not_available then
					null; -- the next call retries it
				end;
			end loop;
		end;
	end loop;
	if settled >= max_dependencies then
		return next;
	end if;
end
$function$;

call pin_search_path('add_dependencies', 'find_unknown_predecessor', 'release_blocked', 'settle_dependencies');
