-- What handlers wait for between their steps, and fairness between keys.

-- A job that waits is scheduled for the end of its
-- wait, like any other job that is not due yet: claims, promotion and their indexes know nothing about waits.

-- The signals of jobs, each at most once. A wait that timed out has a row as well: whichever of the two comes first stays.
create table job_signal (
	job_id       bigint      not null,
	name         text        not null,
	timed_out    boolean     not null default false, -- true: the handler has continued without it
	pending      boolean     not null default true,  -- whether the job may still have to be made due because of it
	payload      json,
	sent_at      timestamptz not null default clock_timestamp(),
	primary key (job_id, name)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index job_signal_pending on job_signal (job_id) where pending;
comment on table job_signal is 'Signals that were sent to jobs, and those that jobs have waited for in vain';

-- What the handlers of jobs wait for or have waited for. A job waits as long as it is scheduled and has the lease under
-- which it began to wait.
create table job_wait (
	job_id       bigint      not null,
	kind         text        not null,
	name         text        not null,
	lease        integer     not null,              -- of the attempt that waits, or that has waited last
	began_at     timestamptz not null,
	until        timestamptz not null,
	primary key (job_id, kind, name),
	constraint job_wait_kind check (kind in ('signal', 'sleep'))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table job_wait is 'What handlers wait for, of jobs that have not ended';

-- Jobs with a fairness key have a limit key that begins with 'fair:'. When they are due, one process at a time queues them,
-- and gives each its place in its lane: see place_fairly. The place of the next job of each key.
create table fair_key (
	queue        text        not null,
	type         text        not null,
	priority     smallint    not null,
	limit_key    text        not null,
	next_at      timestamptz not null,
	primary key (queue, type, priority, limit_key)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index fair_key_next on fair_key (next_at);
comment on table fair_key is 'The places of the next jobs of fairness keys';

-- How far the jobs of a lane were claimed when a place in it was given last.
create table fair_lane (
	queue        text        not null,
	type         text        not null,
	priority     smallint    not null,
	reached_at   timestamptz not null,
	looked_at    timestamptz not null,
	latest_at    timestamptz not null,              -- behind the last place that was given
	primary key (queue, type, priority)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table fair_lane is 'How far lanes with fairness keys were claimed';

create table fair_weight (
	limit_key    text        primary key,
	weight       smallint    not null,
	constraint fair_weight_weight check (weight between 1 and 100)
);
comment on table fair_weight is 'The weights of fairness keys; 1 for all others';

insert into schema_version (version) values (10);
