-- Whether a job that takes these units finds room. A job with more units than the limit counts as the whole limit.
create or replace function has_room(units integer, places integer, tokens double precision, rule job_limit) returns boolean
	language sql immutable
	return (rule.concurrency is null and places is null or least(units, rule.concurrency) <= places)
		and (rule.rate is null or least(units, rule.burst) <= tokens);
