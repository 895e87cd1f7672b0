-- Ordered limit keys.

alter table job_key
	add column first_id bigint;                     -- the job of an ordered key that has kept its place, while it waits to be admitted again

insert into schema_version (version) values (17);
