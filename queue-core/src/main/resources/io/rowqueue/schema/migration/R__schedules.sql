create or replace view schedules as
	select name, type, queue, cron, zone, every, missed, overlap, source,
		case when paused_at is not null then 'paused'
			when undeclared_at < clock_timestamp() - interval '1 minute' then 'disabled'
			when next_run_at is null then 'ended' else 'active' end as state,
		next_run_at, last_due_at, last_run_at, last_job_id, last_skipped_at, paused_at, pause_reason, undeclared_at,
		starts_at, ends_at, calendar, excluded
	from schedule;
comment on view schedules is 'Recurring jobs, their state, their last and next runs';
