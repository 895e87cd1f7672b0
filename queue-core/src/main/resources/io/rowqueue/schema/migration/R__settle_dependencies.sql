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
call pin_search_path('settle_dependencies');
