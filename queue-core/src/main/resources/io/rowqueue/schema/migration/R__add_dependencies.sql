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
	perform hold_jobs(predecessors);
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
call pin_search_path('add_dependencies');
