create or replace view schedules as
	select name, type, queue, cron, zone, every, missed, overlap, source,
		case when paused_at is not null then 'paused'
			when undeclared_at < clock_timestamp() - interval '1 minute' then 'disabled'
			when next_run_at is null then 'ended' else 'active' end as state,
		next_run_at, last_due_at, last_run_at, last_job_id, last_skipped_at, paused_at, pause_reason, undeclared_at,
		starts_at, ends_at, calendar, excluded
	from schedule;
comment on view schedules is 'Recurring jobs, their state, their last and next runs';

-- The due times of a schedule whose jobs do not overlap wait for a job that is retried, from now on; not for one that was enqueued
-- for a time that has passed. Of several jobs of a schedule, the first one is retried. Rejects the others, and all while another job of
-- the schedule has not ended.
create or replace function on_retry_schedules(ids bigint[]) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	names text[]; -- of the schedule of each job
	jobs bigint[];
	locked text[];
	retried bigint[];
begin
	select array_agg(s.name order by j.id), array_agg(j.id order by j.id) into names, jobs
	from job j join schedule s on s.name = j.headers ->> 'schedule'
	where j.id = any (ids) and j.state::text = 'failed' and s.overlap = 'skip' and not exists (
		select from schedule_run r where r.name = s.name and r.job_id = j.id and r.origin = 'backfill');
	if jobs is null then
		return;
	end if;
	locked := array(select l.name from schedule l where l.name = any (names) order by l.name for no key update skip locked);
	with updated as (
		update schedule s set last_job_id = f.id, revision = s.revision + 1
		from (select n.name, min(n.id) as id from unnest(names, jobs) as n (name, id) group by n.name) f
		where s.name = f.name and s.name = any (locked)
			and not exists (select from job o where o.id = s.last_job_id and o.id <> f.id and o.state::text <> 'failed')
		returning f.id)
	select array_agg(u.id) into retried from updated u;
	if cardinality(retried) is distinct from cardinality(jobs) then
		raise exception using errcode = 'PQ001', message = 'another job of the schedule has not ended',
			detail = array(select i from unnest(jobs) as i where i <> all (coalesce(retried, '{}')));
	end if;
end
$function$;

create or replace function figures_schedules() returns table (name text, queue text, state text, value double precision, text text)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	return query
		select 'schedules', null, s.state, count(*)::double precision, null from schedules s group by s.state
		union all
		(select 'schedule.late', null, null, extract(epoch from clock_timestamp() - s.next_run_at)::double precision, s.name
		from schedules s where s.state = 'active' and s.next_run_at < clock_timestamp() order by s.next_run_at limit 1);
end
$function$;

call pin_search_path('on_retry_schedules', 'figures_schedules');
