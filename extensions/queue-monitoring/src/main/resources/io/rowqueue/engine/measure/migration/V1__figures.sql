-- Figures over time: what processes counted, what was measured, which processes ran, and which errors occur.

-- What ended by minute, added once a minute by each process from its own counters, and summed up by hour. There are rows
-- for all jobs, for each queue and for each type, so that reading a chart does not depend on how many of them there are.
create table tally (
	seconds    integer     not null,                -- how long it is: 60 or 3600
	kind       text        not null,                -- all, queue, type; error: failures of a group by hour
	name       text        not null,                -- '' for all; others: beyond the maximum number of measured names
	at         timestamptz not null,                -- its beginning, by the database's clock
	version    text        not null,                -- of the application; '': not known
	enqueued   bigint      not null default 0,
	succeeded  bigint      not null default 0,
	retried    bigint      not null default 0,
	failed     bigint      not null default 0,
	cancelled  bigint      not null default 0,
	snoozed    bigint      not null default 0,
	waits      bigint[]    not null default '{}',   -- how many waited up to 2^(i/2) ms, from i = 0; zeros at the end are left out
	runs       bigint[]    not null default '{}',   -- the same of the run times of attempts
	primary key (seconds, kind, name, at, version),
	constraint tally_kind check (kind in ('all', 'queue', 'type', 'error'))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index tally_time on tally (seconds, at);
comment on table tally is 'What ended by minute and by hour';

-- What was measured once a minute, and by hour.
create table gauge (
	seconds    integer     not null,
	name       text        not null,                -- of the figure
	queue      text        not null,                -- '' for all
	state      text        not null,                -- or the type, for figures of types
	at         timestamptz not null,
	value      float8      not null,                -- by hour: the average
	highest    float8      not null,
	primary key (seconds, name, queue, state, at)
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index gauge_time on gauge (seconds, at);
comment on table gauge is 'What was measured by minute and by hour';

-- Which processes ran jobs. The rows of workers are deleted when they stop; these are kept.
create table process (
	worker_id  bigint      primary key,
	name       text        not null,
	version    text        not null,                -- of the application; '': not known
	java       text        not null,
	host       text        not null,
	started_at timestamptz not null default clock_timestamp(),
	seen_at    timestamptz not null default clock_timestamp(),
	ended_at   timestamptz,
	how        text,                                -- stopped or lost
	succeeded  bigint      not null default 0,      -- since it started
	failed     bigint      not null default 0,      -- attempts, also those that are retried
	latest_succeeded bigint not null default 0,     -- since the report before
	latest_failed bigint   not null default 0,
	latest_seconds float8  not null default 0,      -- how long that was
	cpu        float8      not null default -1,     -- of all processors, from 0 to 1, in that time; -1: not known
	heap_used  bigint      not null default -1,     -- bytes
	heap_max   bigint      not null default -1,
	constraint process_how check (how in ('stopped', 'lost'))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index process_started on process (started_at);
comment on table process is 'Processes that ran jobs, and how they ended';

-- Failed attempts by the fingerprint of their error.
create table error_group (
	id         bigint      primary key,
	type       text        not null,
	first_at   timestamptz not null,
	last_at    timestamptz not null,
	last_job   bigint      not null,
	failures   bigint      not null,
	versions   text[]      not null default '{}',   -- of the applications it was seen in
	sample     text        not null,                -- the stack trace of the first failure
	status     text        not null default 'open',
	status_by  text,
	status_at  timestamptz,
	reopened_at timestamptz,                        -- it was seen again after it was resolved
	note       text,
	constraint error_group_status check (status in ('open', 'resolved', 'ignored'))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index error_group_last on error_group (last_at);
comment on table error_group is 'Failed attempts with the same cause';

insert into maintenance_task (name, next_run_at) values ('measure', now()), ('figures', now()), ('gauges', now()),
	('errors', now());

insert into schema_version (part, version) values ('monitoring', 1);
