-- A job that was moved from another shard, where it had begun, and that runs after another one here keeps what it has from its attempts.

alter table job_follow_up
	add column lease            integer,            -- this and the following ones as in job; null: the job has not begun
	add column attempt          smallint,
	add column deaths           smallint,
	add column leased_at        timestamptz,
	add column cancel_requested boolean,
	add column last_error       text;

insert into schema_version (version) values (22);
