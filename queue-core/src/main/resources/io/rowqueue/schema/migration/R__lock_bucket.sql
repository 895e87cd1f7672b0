-- Locks a bucket until the end of the transaction: shared by those who enqueue jobs with its keys or refer to
-- its jobs, alone by those who move it.
create or replace function lock_bucket(bucket smallint, alone boolean) returns void language plpgsql as $function$
declare
	class constant integer = hashtext('shard_bucket'::regclass::oid::text); -- another one in each schema
begin
	if alone then
		perform pg_advisory_xact_lock(class, bucket);
	else
		perform pg_advisory_xact_lock_shared(class, bucket);
	end if;
end
$function$;
call pin_search_path('lock_bucket');
