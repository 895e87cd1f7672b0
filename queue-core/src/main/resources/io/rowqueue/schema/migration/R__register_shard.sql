-- Returns the number of a shard, and an id that none of this database's jobs exceeds. To be called in the home shard.
create or replace function register_shard(shard_name text, out shard_number smallint, out highest_id bigint)
	language plpgsql as $function$
begin
	lock table shard in share row exclusive mode;
	select s.number into shard_number from shard s where s.name = shard_name;
	if not found then
		insert into shard (number, name)
		select coalesce(max(s.number), 0) + 1, shard_name from shard s
		returning number into shard_number;
	end if;
	select max(s.last_value) into highest_id
	from (
		select last_value from job_id_seq union all select last_value from flow_id_seq union all
		select last_value from batch_id_seq) s;
end
$function$;
call pin_search_path('register_shard');
