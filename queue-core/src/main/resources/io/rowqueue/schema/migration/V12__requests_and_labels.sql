-- What single jobs have besides their row, and what was requested for them. Jobs without it have no rows here, and cost
-- nothing more.

-- Jobs that a transaction cancelled while a worker held them. Maintenance asks the worker to stop: the transaction must not
-- lock the row of the job, since its end would wait for that.
create table cancel_request (
	id           bigint      generated always as identity primary key,
	job_id       bigint      not null,
	requested_at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table cancel_request is 'Jobs to cancel that a worker held when a transaction cancelled them';

-- When jobs expire whose first attempt has not begun. The header expires-at of the job decides; this table leads to it. Its
-- rows are deleted when the time has come.
create table job_expiry (
	job_id       bigint      primary key,
	expires_at   timestamptz not null
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index job_expiry_time on job_expiry (expires_at, job_id);
comment on table job_expiry is 'When jobs expire that have not begun';

-- Tags, and headers that requests have set. A job keeps them until it is in no table any more.
create table job_tag (
	job_id       bigint      not null,
	name         text        not null,              -- of the header; '' for a tag
	value        text        not null,
	primary key (name, value, job_id)
) with (autovacuum_vacuum_scale_factor = 0.05);
create index job_tag_job on job_tag (job_id);
comment on table job_tag is 'Tags and headers by which jobs are found, also when they have finished';

-- Jobs to enqueue if others fail permanently, in the transaction that ends those. Such jobs are tracked. Maintenance deletes the
-- rows of jobs that have ended otherwise.
create table job_on_failure (
	job_id       bigint      primary key,           -- the job that may fail
	queue        text        not null,
	type         text        not null,
	priority     smallint    not null,
	max_attempts smallint,
	run_at       timestamptz,                       -- null: after the delay
	delay        interval    not null,
	tolerance    interval,
	headers      json,
	limit_key    text,
	limit_units  smallint,
	expires_in   interval,
	tags         text[],
	payload      json
) with (autovacuum_vacuum_scale_factor = 0.05);
comment on table job_on_failure is 'Jobs to enqueue if others fail permanently';

insert into maintenance_task (name, next_run_at) values ('cancel_requests', now()), ('expire', now());

insert into schema_version (version) values (12);
