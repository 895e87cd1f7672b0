-- The state of a new job: queued if it is due, unless the limit of its key decides about that. The planner inlines the
-- function, as each one of this form.
create or replace function initial_state(run_at timestamptz, limit_key text) returns job_state
	language sql volatile
	return (case when run_at <= clock_timestamp() and limit_key is null then 'queued' else 'scheduled' end)::job_state;
