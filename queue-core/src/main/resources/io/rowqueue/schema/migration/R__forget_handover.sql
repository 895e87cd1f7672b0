-- Forgets what has arrived at another shard.
create or replace function forget_handover(batch bigint) returns void language plpgsql as $function$
#variable_conflict use_variable
declare
	forgotten shard_handover;
begin
	delete from shard_handover h where h.batch = batch returning h.* into forgotten;
	if found then
		delete from shard_handover_row r where r.batch = batch;
		update shard_bucket s set state = 'gone', since = clock_timestamp()
		where s.bucket = any (forgotten.buckets) and s.state = 'leaving';
	end if;
end
$function$;
call pin_search_path('forget_handover');
