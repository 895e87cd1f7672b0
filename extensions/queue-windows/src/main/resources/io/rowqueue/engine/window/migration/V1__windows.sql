-- Windows: when the jobs of queues and types are claimed. Claims read the rows that follow_windows derives in the table pause.

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

insert into maintenance_task (name, next_run_at) values ('window', now());

insert into schema_version (part, version) values ('windows', 1);
