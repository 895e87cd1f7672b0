-- Limits of queues and types.

alter table job_limit
	add column counted_at timestamptz;              -- when the jobs were counted that workers had claimed without knowing the limit; null: not yet

insert into schema_version (version) values (20);
