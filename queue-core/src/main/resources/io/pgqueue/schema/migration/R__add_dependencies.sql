-- Lets jobs that this transaction has stored as blocked wait for predecessors that have not ended. A predecessor that this
-- transaction has stored as well is marked as tracked; another one may be ending now, and the caller must not delay its end.
create or replace function add_dependencies(predecessors bigint[], successors bigint[], policies text[]) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	me constant xid = pg_current_xact_id()::xid;
begin
	update job j set tracked = true where j.id = any (predecessors) and j.xmin = me and j.tracked is null;
	insert into job_dependency (predecessor_id, successor_id, when_failed, unsure)
	select u.predecessor, u.successor, u.policy, p.id is null or p.xmin <> me
	from unnest(predecessors, successors, policies) as u (predecessor, successor, policy)
	left join job p on p.id = u.predecessor
	left join job_follow_up f on f.id = u.predecessor
	where p.id is not null or f.id is not null or u.policy <> 'run' and (
		select h.state from job_finished h where h.id = u.predecessor limit 1) = 'cancelled'
	on conflict do nothing;
	perform release_blocked(successors);
end
$function$;
call pin_search_path('add_dependencies');
