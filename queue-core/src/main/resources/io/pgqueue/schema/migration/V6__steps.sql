-- Steps of handlers: what a long job has done already.

create table job_step (
	job_id      bigint      not null,
	name        text        not null,
	lease       integer     not null,               -- of the attempt that did it
	result      json,
	finished_at timestamptz not null,
	primary key (job_id, name)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

comment on table job_step is 'Steps that jobs which are not over have done';

insert into schema_version (version) values (6);
