-- Recurring jobs.

create table schedule (
	name         text primary key,
	type         text        not null,
	queue        text        not null,
	priority     smallint    not null default 0,
	max_attempts smallint,                          -- null: the worker's default
	tolerance    interval,                          -- null: none
	limit_key    text,                              -- of its jobs; null: none
	payload      json,
	cron         text,                              -- as Spring's CronExpression reads it; null: every
	zone         text,                              -- the zone of cron
	every        interval,                          -- null: cron
	missed       text        not null default 'once',
	overlap      text        not null default 'skip',
	jitter       interval,                          -- its jobs are put off by up to that; null: not at all
	source       text        not null,
	revision     bigint      not null default 0,    -- grows with every change: of two who saw the same, one changes it
	declared_at  timestamptz not null default clock_timestamp(), -- when it was written down last
	undeclared_at timestamptz,                      -- since when no living worker declares it; a minute later it rests
	paused_at    timestamptz,
	pause_reason text,
	next_run_at  timestamptz,                       -- null: never
	last_due_at  timestamptz,                       -- the due time of its latest job
	last_run_at  timestamptz,                       -- when that was enqueued
	last_job_id  bigint,
	last_skipped_at timestamptz,                    -- when a due time found the job before it still active
	constraint schedule_rhythm check ((cron is null) <> (every is null) and (cron is null) = (zone is null)),
	constraint schedule_missed check (missed in ('skip', 'once', 'all')),
	constraint schedule_overlap check (overlap in ('skip', 'queue')),
	constraint schedule_source check (source in ('annotation', 'properties', 'code'))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index schedule_due on schedule (next_run_at) where paused_at is null;

comment on table schedule is 'Recurring jobs and when they are due next';

insert into maintenance_task (name, next_run_at) values ('schedule', now());

create view schedules as
	select name, type, queue, cron, zone, every, missed, overlap, source,
		case when paused_at is not null then 'paused'
			when undeclared_at < clock_timestamp() - interval '1 minute' then 'disabled'
			when next_run_at is null then 'ended' else 'active' end as state,
		next_run_at, last_due_at, last_run_at, last_job_id, last_skipped_at, paused_at, pause_reason, undeclared_at
	from schedule;
comment on view schedules is 'Recurring jobs, their state, their last and their next run';

insert into schema_version (version) values (2);
