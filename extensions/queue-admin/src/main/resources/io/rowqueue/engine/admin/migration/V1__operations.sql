-- The record of administrative operations.

create table operation (
	id         bigint      generated always as identity primary key,
	at         timestamptz not null default clock_timestamp(),
	who        text        not null,
	via        text        not null,                -- dashboard, endpoint, or a name chosen by the application
	address    text,                                -- the address of the client, as seen by the server
	action     text        not null,
	kind       text        not null,                -- jobs, queues, ...
	name       text        not null,                -- the id or name of the target
	parameters jsonb       not null default '{}',   -- no payloads
	reason     text,
	state      text        not null default 'begun', -- remains begun after a crash
	message    text,
	jobs       bigint,                              -- the number of affected jobs; null: not applicable
	ended_at   timestamptz,
	-- an operation on all jobs that a filter selects; null for all others
	filter      text,                               -- the words of the filter, as in the address of a list
	max_jobs    bigint,                             -- how many jobs it selects at most; null: any number
	selected    bigint,                             -- how many jobs were selected so far
	selected_at timestamptz,                        -- when all of them were selected; null: not yet
	cursor      text,                               -- where the selection continues, then after which job the changes; null: at the beginning
	skipped     bigint,                             -- selected jobs that it could not be done to
	owner       uuid,                               -- the process that carries it out
	touched_at  timestamptz,                        -- when that process last reported
	has_jobs    boolean     not null default false, -- operation_job may have rows of it; also after it was stopped
	constraint operation_state check (state in ('begun', 'running', 'done', 'stopped', 'refused', 'failed'))
);
create index operation_of on operation (kind, name, id);
create index operation_has_jobs on operation (touched_at nulls first, id) where has_jobs;
comment on table operation is 'Administrative operations and their outcomes';

-- Jobs that an operation has selected and not been done to. A row is inserted and deleted once.
create table operation_job (
	operation_id bigint not null,
	job_id       bigint not null,
	primary key (operation_id, job_id)
);
comment on table operation_job is 'Jobs that a running operation has selected and that it has not been done to';

insert into schema_version (part, version) values ('admin', 1);
