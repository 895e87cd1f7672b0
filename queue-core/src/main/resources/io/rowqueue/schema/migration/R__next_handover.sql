-- Returns the number of a new handover. It begins with the time: a database that was restored to an older state, or that lost
-- commits in a failover, must not give a number again, because the other shard would take the handover for one that has arrived.
create or replace function next_handover() returns bigint language plpgsql as $function$
begin
	return (extract(epoch from clock_timestamp()) * 1000)::bigint * 1000 + nextval('shard_handover_batch_seq') % 1000;
end
$function$;
call pin_search_path('next_handover');
