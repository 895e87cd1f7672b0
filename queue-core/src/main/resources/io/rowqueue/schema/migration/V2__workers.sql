-- Workers, the jobs that they hold, and their shared duties: notifications, maintenance, measurements.

-- One start of one process. Its heartbeat renews all of its leases. Its id consists of 48 random bits: after a restore, or
-- a failover that lost the latest commits, a sequence would return the id of a live process again.
create table worker (
	id           bigint      primary key default ('x' || translate(left(gen_random_uuid()::text, 13), '-', ''))::bit(48)::bigint + 1,
	name         text        not null,              -- for people: host and process
	started_at   timestamptz not null default clock_timestamp(),
	heartbeat_at timestamptz not null default clock_timestamp(),
	heartbeats   bigint      not null default 0,    -- their number: if it is lower than the worker has sent, the database was restored
	lease        interval    not null default interval '30 seconds', -- the age of heartbeat_at from which other workers declare it dead
	idle_interval interval   not null default '0',  -- its next heartbeat may come so much later, since it holds no job; 0: it is busy
	dead_at      timestamptz,                       -- when it was declared dead; it can never claim again
	session_locked boolean   not null default false, -- its session holds an advisory lock on its id: a lost lock is a sign of death
	cancel_requests integer  not null default 0,    -- grows when one of its jobs must stop, or with stack_of; the heartbeat reads it
	stack_of     bigint,                            -- the job to whose log it is to write what the handler is doing; it takes it away
	quiet        boolean     not null default false, -- it claims no more until it is resumed; the heartbeat reads it
	restart      boolean     not null default false, -- its process is to replace it by a new worker; the heartbeat reads it
	queues       text[]      not null,
	types        text[]      not null,
	declarations text[]      not null default '{}', -- what its application declares, such as schedule:nightly-report
	max_attempts jsonb       not null default '{}', -- the maximum attempts of jobs that do not set it, by type
	slots        jsonb       not null default '{}', -- the number of slots by queue; '*': all other queues together; the heartbeat reads it
	type_limits  jsonb       not null default '{}'  -- the concurrency of types that have one, by type
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table worker is 'Worker processes and their heartbeats';

-- The jobs that a claim took, written with it: they are found by these ids. The row is deleted when none of
-- them is held any more.
create table claim (
	worker_id    bigint      not null,
	id           bigint      not null default (1 + floor(random() * 9007199254740991))::bigint, -- random, like that of a worker
	job_ids      bigint[]    not null,
	primary key (worker_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
alter table claim alter job_ids set storage main;
comment on table claim is 'The jobs of each claim, for as long as one of them is held';

create view leased_jobs as
	select held.worker_id, j.*
	from (select distinct c.worker_id, claimed.id from claim c cross join lateral unnest(c.job_ids) as claimed (id)) held
	cross join lateral (
		select j.id, j.lease, j.queue, j.type, j.priority, j.attempt, j.state, j.leased_at, j.cancel_requested
		from job j where j.id = held.id and j.worker_id = held.worker_id offset 0) j;
comment on view leased_jobs is 'Jobs that workers hold, found by their claims';

-- Where workers listen. LISTEN and NOTIFY have no privileges: each role that may connect to the database may use any
-- channel. So its name is random, and only roles that may read this table know it. One row.
create table notification_channel (
	only_row    boolean     primary key default true check (only_row),
	name        text        not null default 'rowqueue_' || replace(gen_random_uuid()::text, '-', '')
		check (name ~ '^[a-z_][a-z0-9_]{0,42}$') -- room for the id of a worker
);
revoke all on notification_channel from public;
insert into notification_channel default values;
comment on table notification_channel is 'The channel on which workers listen for new jobs; its name is secret';

-- When each maintenance task runs next: the process that moves the time on runs the task. A row that names a thread and
-- its tasks contains the time at which the next process looks at these. Processes add what is missing.
create table maintenance_task (
	name        text primary key,
	next_run_at timestamptz not null,
	taken_at    timestamptz,                        -- when a single task was taken, by the clock of that time
	mark        timestamptz                         -- what was due before was handled by the latest run
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table maintenance_task is 'When each maintenance task runs next';

insert into maintenance_task (name, next_run_at) values ('promote', now()), ('promote_all', now()), ('recover', now()),
	('retain', now()), ('admit', now()), ('cancel_requests', now()), ('expire', now());

-- The latest measurement, for all processes. One row; not worth a log: after a crash the queue is measured again.
create unlogged table measurement (
	only_row    boolean     primary key default true check (only_row),
	measured_at timestamptz not null,
	figures     jsonb       not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100);
comment on table measurement is 'The latest measurement, for meters and health';

insert into schema_version (part, version) values ('core', 2);
