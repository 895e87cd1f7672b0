-- Whether this shard owns a bucket. One that was never moved belongs to the home shard, which has the number 1.
create or replace function owns_bucket(bucket smallint) returns boolean language plpgsql as $function$
begin
	return coalesce(
		(select s.state = 'owned' from shard_bucket s where s.bucket = owns_bucket.bucket),
		exists (select from shard_identity i where i.number = 1));
end
$function$;
call pin_search_path('owns_bucket');
