-- How many jobs of a queue, a type or a key run at once, and how many may start in a period, in the whole cluster; which are
-- not claimed at all; and fairness between keys.

create table job_limit (
	kind         text        not null,
	name         text        not null,              -- a queue, a class of them such as closing:*, a type, or the class of keys: the part before their ':'
	concurrency  integer,                           -- maximum number that run at once; null: unlimited
	rate         integer,                           -- maximum number that start in each rate_period; null: unlimited
	rate_period  interval,
	burst        integer,                           -- maximum number that may start at once after a pause
	ordered      boolean     not null default false, -- the jobs of a key run one after the other, however they end
	source       text        not null,              -- properties or admin, which takes precedence
	changed_at   timestamptz not null default clock_timestamp(),
	tokens       double precision,                  -- how many jobs could start at tokens_at; null: the burst
	tokens_at    timestamptz,
	counted_at   timestamptz,                       -- when the jobs were counted that workers had claimed without knowing the limit; null: not yet
	primary key (kind, name),
	constraint job_limit_kind check (kind in ('queue', 'type', 'key')),
	constraint job_limit_source check (source in ('properties', 'admin')),
	constraint job_limit_concurrency check (concurrency > 0),
	constraint job_limit_rate check (rate > 0 and burst > 0 and rate_period > interval '0'
		or rate is null and burst is null and rate_period is null),
	constraint job_limit_ordered check (not ordered or (kind = 'key' and concurrency = 1))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table job_limit is 'How many jobs of a queue, a type or a key run at once or start in a period';

-- Leases that count for a limit of a queue or type. One counts for as long as its job has it: a slot need not be
-- returned, and so none is lost. Rows that no longer count are deleted when the limit is used next.
create table job_slot (
	kind         text        not null,
	name         text        not null,
	job_id       bigint      not null,
	lease        integer     not null,
	primary key (kind, name, job_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
comment on table job_slot is 'Leases that count for a limit';

-- A row for each limit key that is in use; an admission of jobs of the key locks it.
create table job_key (
	limit_key    text        primary key,
	tokens       double precision,
	tokens_at    timestamptz,
	next_at      timestamptz,                       -- when the next token for a waiting job is available; null: no job waits for one
	first_id     bigint                             -- the job of an ordered key that has kept its place, while it waits to be admitted again
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index job_key_next on job_key (next_at) where next_at is not null;
comment on table job_key is 'Limit keys in use';

-- Queues, classes of them such as closing:*, types and limit keys that no worker claims: until they are resumed, while a window
-- is closed, or while they are held. For a window it contains when the window is open, not when it is closed, so that a row that was not renewed
-- prevents claims.
create table pause (
	kind       text        not null,
	name       text        not null,
	paused_at  timestamptz not null default now(),
	reason     text,
	source     text        not null default '',     -- the window; '': paused manually; ':hold': held until open_from
	open_from  timestamptz,                         -- null: it is never open
	open_until timestamptz,
	stops      boolean     not null default false,  -- whether running jobs are stopped as well
	primary key (kind, name, source),
	constraint pause_kind check (kind in ('queue', 'type', 'key'))
);
comment on table pause is 'Queues and types that are not claimed';

-- Jobs with a fairness key have a limit key that begins with 'fair:'. When they are due, one process at a time queues them,
-- and gives each its place in its lane: see place_fairly. Those with a limit key as well have the header fairness-key, and get their
-- places when they are admitted. The place of the next job of each key.
create table fair_key (
	queue        text        not null,
	type         text        not null,
	priority     smallint    not null,
	limit_key    text        not null,              -- a hash of both keys, if the jobs have both
	next_at      timestamptz not null,
	reached_at   timestamptz,                       -- how far the lane was claimed when they got their latest place; null: see fair_lane
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

insert into schema_version (part, version) values ('core', 5);
