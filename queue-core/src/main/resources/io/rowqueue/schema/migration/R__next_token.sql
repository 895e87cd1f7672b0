-- When the next job may start, given the number of tokens now.
create or replace function next_token(rule job_limit, tokens double precision, at timestamptz) returns timestamptz
	language sql stable
	return at + greatest(0, 1 - tokens) / rule.rate * rule.rate_period;
