-- Makes this database a shard, unless it is that one already. Its new ids have the remainder shard_number modulo 1024, and
-- exceed all that there are in the home shard. Waits for transactions that have enqueued jobs.
create or replace function join_shards(shard_number smallint, shard_name text, highest_id bigint) returns void
	language plpgsql as $function$
declare
	me shard_identity;
	first bigint;
begin
	lock table shard_identity in share row exclusive mode;
	select * into me from shard_identity;
	if found then
		if me.number <> shard_number or me.name <> shard_name then
			raise object_not_in_prerequisite_state using
				message = format('this database is the shard %L with the number %s, and cannot be the shard %L with the number %s',
					me.name, me.number, shard_name, shard_number),
				hint = 'The settings of two shards were exchanged, or the database was restored from a copy of another shard.';
		end if;
		return;
	end if;
	-- waits for transactions that have taken an id
	alter sequence job_id_seq increment by 1024;
	alter sequence flow_id_seq increment by 1024;
	alter sequence batch_id_seq increment by 1024;
	select (max(s.last_value) / 1024 + 1) * 1024 + shard_number into first
	from (
		select last_value from job_id_seq union all select last_value from flow_id_seq union all
		select last_value from batch_id_seq union all select highest_id) s;
	execute format('alter sequence job_id_seq restart with %s', first);
	execute format('alter sequence flow_id_seq restart with %s', first);
	execute format('alter sequence batch_id_seq restart with %s', first);
	insert into shard_identity (number, name, first_id) values (shard_number, shard_name, first);
end
$function$;
call pin_search_path('join_shards');
