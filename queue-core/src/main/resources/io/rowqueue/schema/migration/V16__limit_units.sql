-- Jobs with several limit keys, or that take more than one unit of a limit. Such a job has a limit key that names all of them
-- with their units, such as all:{"api:mail":5,"tenant:42":1}. The rows of all other jobs and keys are not concerned.

-- Which keys such a combination has. A row exists while jobs of the combination exist.
create table limit_member (
	limit_key    text        not null,              -- the combination, as in job.limit_key
	member       text        not null,              -- one of its keys
	units        integer     not null,
	primary key (member, limit_key)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index limit_member_key on limit_member (limit_key);
comment on table limit_member is 'The keys of combined limit keys';

-- Units that jobs of combinations have of each key. A permit counts as long as its job is queued or leased, however it leaves
-- this state: it need not be returned, and so none is lost. Rows that no longer count are deleted when the key is used next.
create table limit_permit (
	member       text        not null,
	job_id       bigint      not null,
	limit_key    text        not null,
	units        integer     not null,
	primary key (member, job_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
create index limit_permit_job on limit_permit (job_id);
comment on table limit_permit is 'Units of limits that jobs with several keys have';

-- The next job of a key, for which units remain free. The row counts as long as the job waits.
create table limit_turn (
	member       text        primary key,
	job_id       bigint      not null,
	units        integer     not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table limit_turn is 'Jobs for which units of a limit remain free';

-- A limit key that begins like a combination must be one: the functions that admit jobs parse it, for many jobs at once.
do $do$
declare
	relation text;
	name constant text = '"(?!all:|fair:)([^"\\\u0001-\u001f]|\\["\\/bfnrt]|\\u00(0[1-9a-f]|1[0-9a-f]))+":[1-9][0-9]{0,4}';
begin
	foreach relation in array array['job', 'job_follow_up', 'job_on_failure', 'schedule'] loop
		execute format('alter table %I add constraint %I check (not starts_with(limit_key, ''all:'') or limit_key ~ %L)',
			relation, relation || '_combined_key', '^all:\{' || name || '(,' || name || '){0,4}\}$');
	end loop;
end
$do$;

insert into schema_version (version) values (16);
