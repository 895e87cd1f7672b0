-- Windows and pauses: when the jobs of queues and types are not claimed.

create table time_window (
	name         text primary key,
	zone         text        not null,
	times        text[]      not null,              -- such as MON-FRI 23:00-06:00
	queues       text[]      not null default '{}',
	types        text[]      not null default '{}',
	handler_types text[]     not null default '{}', -- types whose handlers name it; a changed definition keeps them
	closing      text        not null default 'finish',
	source       text        not null,
	open_from    timestamptz not null,              -- when it opened or opens next
	open_until   timestamptz not null,
	constraint window_closing check (closing in ('finish', 'stop')),
	constraint window_source check (source in ('properties', 'code'))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table time_window is 'Times at which queues and types run';

-- Queues, types and limit keys that no worker claims: until they are resumed, while a window is closed, or while they are
-- held. For a window it contains when
-- the window is open, not when it is closed, so that a row that was not renewed prevents claims.
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

insert into schema_version (version) values (6);
