-- Settles jobs of flows that existed before, as settle_dependencies does with dependencies: marks those that have not ended, so
-- that their end reads flow_job, and writes the state of those that have.
create or replace function settle_flow_jobs(max_jobs integer) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	there bigint[];
begin
	if not exists (select from flow_job m where m.unsure) then
		return;
	end if;
	-- a locked job may be ending without having seen the row: it is checked next time
	select array_agg(l.id) into there from (
		select j.id from (select distinct m.job_id from flow_job m where m.unsure) u
		cross join lateral (select j.id from job j where j.id = u.job_id for update skip locked) j
		limit max_jobs) l;
	update job j set tracked = true where j.id = any (there) and j.tracked is null;
	update flow_job m
	set unsure = null, state = case j.state when 'failed' then j.state end,
		ended_at = case j.state when 'failed' then clock_timestamp() end
	from job j
	where m.unsure and m.job_id = any (there) and j.id = m.job_id;
	update flow_job m
	set unsure = null, ended_at = coalesce(m.ended_at, clock_timestamp()),
		state = coalesce(m.state, (select h.state from job_finished h where h.id = m.job_id limit 1),
			case when exists (select from worker w where 'history:partial' = any (w.declarations)) then 'succeeded'
				else 'cancelled' end::job_state)
	where m.unsure and not exists (select from job j where j.id = m.job_id)
		and not exists (select from job_follow_up f where f.id = m.job_id);
end
$function$;
call pin_search_path('settle_flow_jobs');
