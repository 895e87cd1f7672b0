-- Begins to store what has left another shard, and makes this shard the owner of the buckets. Returns false if it has arrived
-- before. The rows follow in the same transaction. The buckets are locked as enqueues lock them, so that a transaction that has
-- referred to a job of such a key in this database does not delay it; only the one that moves them from here does.
create or replace function receive_handover(source smallint, batch bigint, buckets smallint[]) returns boolean
	language plpgsql set lock_timeout = '2s' as $function$
#variable_conflict use_variable
declare
	each smallint;
begin
	insert into shard_received as r (source, batch) values (source, batch) on conflict do nothing;
	if not found then
		return false;
	end if;
	foreach each in array array(select unnest(buckets) order by 1) loop
		perform lock_bucket(each, false);
	end loop;
	if exists (select from shard_bucket s where s.bucket = any (buckets) and s.state = 'leaving') then
		raise serialization_failure using message = 'a bucket is still leaving this shard', hint = 'Try again.';
	end if;
	insert into shard_bucket as s (bucket, state) select b, 'owned' from unnest(buckets) b
	on conflict (bucket) do update set state = 'owned', target = null, since = clock_timestamp();
	return true;
end
$function$;
call pin_search_path('receive_handover');
