-- Recurring jobs: on which days they are due, and what they have enqueued.

-- Days on which recurring jobs are not due. Applications declare calendars; the days are stored, so that every process comes
-- to the same due times.
create table schedule_calendar (
	name         text        primary key,
	excluded     date[]      not null,
	declared_at  timestamptz not null default clock_timestamp()
);
comment on table schedule_calendar is 'Days on which recurring jobs are not due';

alter table schedule
	add column starts_at timestamptz,                  -- no due time is before; null: none
	add column ends_at   timestamptz,                  -- all due times are before; null: none
	add column calendar  text references schedule_calendar,
	add column excluded  text,                         -- what happens to a due time on a day that the calendar excludes
	add constraint schedule_excluded check ((calendar is null) = (excluded is null) and excluded in ('skip', 'next_day')),
	add constraint schedule_calendar_of_cron check (calendar is null or cron is not null);

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

insert into schema_version (version) values (15);
