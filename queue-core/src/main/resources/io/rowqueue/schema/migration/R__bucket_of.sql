-- The bucket of a job, from its keys.
create or replace function bucket_of(limit_key text, unique_key text) returns smallint
	language sql immutable
	return ('x' || left(md5(coalesce(limit_key, unique_key)), 3))::bit(12)::integer::smallint;
