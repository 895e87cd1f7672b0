-- Returns whether this shard owns a bucket, and keeps it from being moved until the end of the transaction. The isolation
-- must be read committed: the state is read after the lock was acquired.
create or replace function hold_bucket(bucket smallint) returns boolean
	language plpgsql set lock_timeout = '5s' as $function$
begin
	perform lock_bucket(bucket, false);
	return owns_bucket(bucket);
end
$function$;
call pin_search_path('hold_bucket');
