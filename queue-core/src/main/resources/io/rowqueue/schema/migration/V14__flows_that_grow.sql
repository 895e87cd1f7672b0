-- Flows that grow: running jobs add jobs to their flow. Flows with unique keys. Jobs that repeat some of their steps.

alter table flow_job
	add column added_by bigint,                     -- the job that has added it; null: it was enqueued with the flow
	add column before   text[],                     -- older jobs of the flow that were made to run after it; null: none
	add column shared   boolean,                    -- true: it existed already, with the unique key of the job; null: it did not
	add column unsure   boolean,                    -- true: the end of a shared job may not read this row: maintenance does
	drop constraint flow_job_job_id_key;
create index flow_job_job on flow_job (job_id);
create index flow_job_unsure on flow_job (job_id) where unsure;

alter table flow
	add column unique_key text,
	add column holds_key  boolean;                  -- true: the latest flow with the key; null: others
create unique index flow_unique_key on flow (unique_key) where holds_key;

-- A job that is to repeat some of its steps has a row without a name: steps that its lease and earlier ones have recorded
-- count only if they were kept, also if the record of one is committed later.
alter table job_step
	add column kept boolean;                        -- true: recorded before the step that the job was to repeat

insert into schema_version (version) values (14);
