-- Whether a row of pause stops claims now: it was paused manually, or its window is closed.
create or replace function is_closed(p pause) returns boolean
	language sql volatile
	return p.open_from is null or clock_timestamp() < p.open_from or clock_timestamp() >= p.open_until;
