-- Flows that grow: running jobs add jobs to their flow. Jobs that repeat some of their steps.

alter table flow_job
	add column added_by bigint,                     -- the job that has added it; null: it was enqueued with the flow
	add column before   text[];                     -- older jobs of the flow that were made to run after it; null: none

-- A job that is to repeat some of its steps has a row without a name: steps that its lease and earlier ones have recorded
-- count only if they were kept, also if the record of one is committed later.
alter table job_step
	add column kept boolean;                        -- true: recorded before the step that the job was to repeat

insert into schema_version (version) values (14);
