-- Locks buckets to move them, until the end of the transaction, and returns those that it has locked. Waits for enqueues under way.
-- A transaction that takes longer, and has referred to a job of a bucket, keeps that bucket here: it is left out, and from then on
-- those that are in use are not waited for, because enqueues would wait for this call meanwhile. The wait is shorter than
-- deadlock_timeout: where each waits for the other, this call gives way, and the transaction continues.
create or replace function take_buckets(buckets smallint[]) returns smallint[]
	language plpgsql set lock_timeout = '500ms' as $function$
declare
	class constant integer = hashtext('shard_bucket'::regclass::oid::text); -- as in lock_bucket
	taken smallint[] = '{}';
	waited boolean = false;
	each smallint;
begin
	foreach each in array array(select unnest(buckets) order by 1) loop
		if not pg_try_advisory_xact_lock(class, each) then
			continue when waited;
			begin
				perform lock_bucket(each, true);
			exception when lock_not_available or deadlock_detected then
				waited := true;
				continue;
			end;
		end if;
		taken := taken || each;
	end loop;
	return taken;
end
$function$;
call pin_search_path('take_buckets');
