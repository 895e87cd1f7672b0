-- The deadline of a job, which decides its place in its lane (job.order_at).
create or replace function deadline(run_at timestamptz, tolerance interval) returns timestamptz
	language sql stable
	return run_at + coalesce(tolerance, interval '0');
