-- Recurring jobs: when they are due, and what they have enqueued.

-- Days on which recurring jobs are not due. Applications declare calendars; the days are stored, so that every process comes
-- to the same due times.
create table schedule_calendar (
	name         text        primary key,
	excluded     date[]      not null,
	declared_at  timestamptz not null default clock_timestamp()
);
comment on table schedule_calendar is 'Days on which recurring jobs are not due';

create table schedule (
	name         text primary key,
	type         text        not null,
	queue        text        not null,
	priority     smallint    not null default 0,
	max_attempts smallint,                          -- null: the worker's default
	tolerance    interval,                          -- null: none
	limit_key    text,                              -- of its jobs; null: none
	limit_units  smallint,
	payload      json,
	headers      json,                              -- with the tags, as its jobs have them; null: none
	expires_in   interval,                          -- of its jobs, from their enqueue on; null: they do not expire
	on_failure   jsonb,                             -- what is enqueued if one of them fails, see store_on_failure; null: nothing
	cron         text,                              -- five or six fields, as it was written; null: every
	zone         text,                              -- the zone of cron
	every        interval,                          -- null: cron
	missed       text        not null default 'once',
	overlap      text        not null default 'skip',
	jitter       interval,                          -- the maximum random delay of its jobs; null: none
	source       text        not null,
	revision     bigint      not null default 0,    -- grows with every change: of two concurrent changes, one is rejected
	declared_at  timestamptz not null default clock_timestamp(), -- when a worker last declared it
	undeclared_at timestamptz,                      -- since when no live worker declares it; disabled a minute later
	paused_at    timestamptz,
	pause_reason text,
	next_run_at  timestamptz,                       -- null: never
	last_due_at  timestamptz,                       -- the due time of its latest job
	last_run_at  timestamptz,                       -- when its latest job was enqueued
	last_job_id  bigint,
	last_skipped_at timestamptz,                    -- when a due time found the previous job still active
	starts_at    timestamptz,                       -- no due time is before; null: none
	ends_at      timestamptz,                       -- all due times are before; null: none
	calendar     text references schedule_calendar,
	excluded     text,                              -- what happens to a due time on a day that the calendar excludes
	constraint schedule_rhythm check ((cron is null) <> (every is null) and (cron is null) = (zone is null)),
	constraint schedule_missed check (missed in ('skip', 'once', 'all')),
	constraint schedule_overlap check (overlap in ('skip', 'queue')),
	constraint schedule_source check (source in ('annotation', 'properties', 'code')),
	constraint schedule_excluded check ((calendar is null) = (excluded is null) and excluded in ('skip', 'next_day')),
	constraint schedule_calendar_of_cron check (calendar is null or cron is not null)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index schedule_due on schedule (next_run_at) where paused_at is null;
comment on table schedule is 'Recurring jobs and when they are due next';

-- A job of a recurring job. The row is written by the statement that enqueues the job; the latest ones are kept.
create table schedule_run (
	name         text        not null,
	job_id       bigint      not null,
	due_at       timestamptz not null,
	enqueued_at  timestamptz not null default clock_timestamp(),
	origin       text        not null,
	primary key (name, job_id),
	constraint schedule_run_origin check (origin in ('due', 'triggered', 'backfill'))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index schedule_run_due on schedule_run (name, due_at);
comment on table schedule_run is 'The jobs that recurring jobs have enqueued';

insert into maintenance_task (name, next_run_at) values ('schedule', now());

insert into schema_version (part, version) values ('schedules', 1);
