-- Whether a job of an ordered key has begun, so that no other job of the key goes before it. A replaced job begins anew. The
-- planner inlines the function, as each one of this form.
create or replace function keeps_place(lease integer, leased_at timestamptz) returns boolean
	language sql immutable
	return lease > 0 and leased_at is not null;
