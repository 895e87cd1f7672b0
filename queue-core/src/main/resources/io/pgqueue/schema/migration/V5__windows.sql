-- Windows: when queues and types are run. Whether a window is open stands in table pause, which claims read anyway.

create table time_window (
	name         text primary key,
	zone         text        not null,
	times        text[]      not null,              -- such as MON-FRI 23:00-06:00
	queues       text[]      not null default '{}',
	types        text[]      not null default '{}',
	handler_types text[]     not null default '{}', -- types whose handlers name it; whoever puts the window leaves them
	closing      text        not null default 'finish',
	source       text        not null,
	open_from    timestamptz not null,              -- when it has opened or opens next
	open_until   timestamptz not null,
	constraint window_closing check (closing in ('finish', 'stop')),
	constraint window_source check (source in ('properties', 'code'))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

comment on table time_window is 'When queues and types are run';

insert into maintenance_task (name, next_run_at) values ('window', now());

create view windows as
	select name, zone, times, queues,
		array(select unnest(types) union select unnest(handler_types) order by 1) as types, closing, source,
		clock_timestamp() >= open_from and clock_timestamp() < open_until as open, open_from, open_until
	from time_window;
comment on view windows is 'Windows, and whether they are open';

insert into schema_version (version) values (5);
