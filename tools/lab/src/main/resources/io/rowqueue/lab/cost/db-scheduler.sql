create table if not exists scheduled_tasks (
	task_name text not null, task_instance text not null, task_data bytea,
	execution_time timestamptz not null, picked boolean not null, picked_by text,
	last_success timestamptz, last_failure timestamptz, consecutive_failures int,
	last_heartbeat timestamptz, version bigint not null, priority smallint,
	primary key (task_name, task_instance));
create index if not exists execution_time_idx on scheduled_tasks (execution_time);
create index if not exists last_heartbeat_idx on scheduled_tasks (last_heartbeat);
