-- What handlers store while they run: progress, log, steps, and what they wait for between these. Jobs without it have no rows
-- here, and cost nothing more. A job that waits is scheduled for the end of its wait, like any other job that is not due yet: claims,
-- promotion and their indexes know nothing about waits.

-- Progress that handlers report, in a separate table: jobs without progress do not pay for it.
create table job_progress (
	job_id    bigint      primary key,
	lease     integer     not null,
	revision  integer     not null,                 -- grows with each report under a lease
	done      bigint      not null,
	total     bigint      not null,                 -- 0: unknown
	message   text,
	at        timestamptz not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table job_progress is 'The progress of jobs, as reported by their handlers';

-- The lines that a worker has written together, at most one row a second for each attempt. Rows are only added: they are
-- deleted with the job, and when the job has been leased many times since.
create table job_log (
	job_id       bigint      not null,
	lease        integer     not null,              -- of the attempt that logged the lines
	part         integer     not null,              -- 1 for the first lines of the attempt
	attempt      smallint    not null,
	lines        json        not null,              -- an array of {"at": ..., "level": ..., "text": ...}
	primary key (job_id, lease, part)
) with (autovacuum_vacuum_scale_factor = 0.05);
comment on table job_log is 'What handlers have logged for their jobs';

-- Completed steps of handlers, so that a later attempt does not repeat them. A job that is to repeat some of them has a row
-- without a name: steps that its lease and earlier ones have recorded count only if they were kept, also if the record of one is
-- committed later.
create table job_step (
	job_id      bigint      not null,
	name        text        not null,
	lease       integer     not null,               -- of the attempt that completed it
	result      json,
	finished_at timestamptz not null,
	kept        boolean,                            -- true: recorded before the step that the job was to repeat
	primary key (job_id, name)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table job_step is 'Recorded steps of handlers, of jobs that have not ended';

-- The signals of jobs, each at most once. A wait that timed out has a row as well: whichever of the two comes first stays.
create table job_signal (
	job_id       bigint      not null,
	name         text        not null,
	timed_out    boolean     not null default false, -- true: the handler has continued without it
	pending      boolean     not null default true,  -- whether the job may still have to be made due because of it
	payload      json,
	sent_at      timestamptz not null default clock_timestamp(),
	unreadable   boolean,                            -- true: the handler could not read the payload, and the next signal replaces it
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
	constraint job_wait_kind check (kind in ('signal', 'sleep', 'jobs'))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table job_wait is 'What handlers wait for, of jobs that have not ended';

insert into job_table (name, replaced, kept_with) values ('job_progress', 'attempt', 'history'), ('job_log', null, 'history'),
	('job_step', 'attempt', 'job'), ('job_signal', 'always', 'job'), ('job_wait', 'attempt', 'job');

insert into schema_version (part, version) values ('core', 3);
