-- Jobs that a message broker carries: what waits to be published, and what the database has taken over.

-- New jobs on their way to the broker. A relay deletes a row in the transaction in which it publishes the job.
create table outbox (
	id           bigint      primary key default nextval('job_id_seq'), -- the job's; it keeps it when it is moved to job
	created_at   timestamptz not null default now(),
	max_attempts smallint,                          -- null: the worker's default
	queue        text        not null,
	type         text        not null,
	payload      json,
	headers      json
) with (
	-- every row is deleted soon: vacuum by number of dead rows, as for job
	autovacuum_vacuum_scale_factor = 0,
	autovacuum_vacuum_threshold = 5000,
	autovacuum_vacuum_cost_delay = 0,
	autovacuum_analyze_scale_factor = 0.05,
	autovacuum_analyze_threshold = 5000
);
comment on table outbox is 'New jobs that wait to be published to the broker';

-- Jobs that the database has taken over from the broker, or that have finished although the broker may deliver them again.
-- Of several who want to take over a job, the one that inserts its row does. Rows are kept for a day: longer than a lock, a
-- session or the crash of a consumer lasts.
create table parked (
	job_id       bigint      primary key,
	at           timestamptz not null default clock_timestamp(),
	moved        boolean                            -- true: from the outbox while the broker was away, which may have it
) with (
	autovacuum_vacuum_scale_factor = 0,
	autovacuum_vacuum_threshold = 5000,
	autovacuum_vacuum_cost_delay = 0
);
create index parked_at on parked using brin (at) with (autosummarize = on);
create index parked_moved on parked (job_id) where moved;
comment on table parked is 'Jobs that the database has taken over from the broker';

insert into schema_version (part, version) values ('transport', 1);
