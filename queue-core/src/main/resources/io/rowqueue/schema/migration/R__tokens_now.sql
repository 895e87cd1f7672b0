-- The number of jobs that may start now: a bucket fills with time. The operators of a function of this form are bound when it is
-- created: no role can substitute one, and the planner can still inline the function.
create or replace function tokens_now(rule job_limit, tokens double precision, tokens_at timestamptz, at timestamptz)
	returns double precision language sql immutable
	return least(rule.burst, coalesce(tokens + greatest(0, extract(epoch from at - tokens_at))
		* rule.rate / extract(epoch from rule.rate_period), rule.burst))::double precision;
