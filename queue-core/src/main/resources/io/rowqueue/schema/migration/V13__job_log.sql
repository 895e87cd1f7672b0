-- What handlers have logged for their jobs. A job that logs nothing has no rows here, and costs nothing more.

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

insert into schema_version (version) values (13);
