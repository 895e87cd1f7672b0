-- Recurring jobs.

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
	constraint schedule_rhythm check ((cron is null) <> (every is null) and (cron is null) = (zone is null)),
	constraint schedule_missed check (missed in ('skip', 'once', 'all')),
	constraint schedule_overlap check (overlap in ('skip', 'queue')),
	constraint schedule_source check (source in ('annotation', 'properties', 'code'))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index schedule_due on schedule (next_run_at) where paused_at is null;
comment on table schedule is 'Recurring jobs and when they are due next';

insert into schema_version (version) values (4);
