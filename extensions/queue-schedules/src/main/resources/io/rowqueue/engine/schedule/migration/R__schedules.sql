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
-- for a time that has passed. Rejects the retry while another job of the schedule has not ended.
create or replace function on_retry_schedules(ids bigint[]) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	recurring text = (
		select s.name from job j join schedule s on s.name = j.headers ->> 'schedule'
		where j.id = ids[1] and s.overlap = 'skip' and not exists (
			select from schedule_run r where r.name = s.name and r.job_id = j.id and r.origin = 'backfill'));
begin
	if recurring is null then
		return;
	end if;
	update schedule s set last_job_id = ids[1], revision = s.revision + 1
	where s.name = any (array(select l.name from schedule l where l.name = recurring for no key update skip locked))
		and not exists (select from job o where o.id = s.last_job_id and o.id <> ids[1] and o.state <> 'failed');
	if not found then
		raise exception using errcode = 'PQ001', message = 'another job of the schedule has not ended';
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
