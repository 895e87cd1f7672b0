-- How much of a limit key is free: places for its concurrency (null: unlimited; negative: the limit was lowered) and tokens of its rate (null: no rate). Queued and
-- leased jobs are counted; claimed_only: only leased ones. The figures hold until the transaction ends if the caller has locked the
-- key.
create or replace function limit_room(key text, claimed_only boolean default false, out places integer,
		out tokens double precision, out rule job_limit)
	language plpgsql volatile set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	rule := limit_rule(limit_room.key);
	if exists (select from pause p where p.kind = 'key' and p.name = limit_room.key and is_closed(p)) then
		places := 0;
		return;
	end if;
	if rule.concurrency is not null then
		places := rule.concurrency - permitted_units(limit_room.key, rule.concurrency, claimed_only) - (
			select count(*) from job j where j.limit_key = limit_room.key and j.indexed_state in ('queued', 'running')
				and (j.worker_id is not null or not claimed_only));
	end if;
	if rule.rate is not null then
		select available_tokens(rule, k.tokens, k.tokens_at, clock_timestamp()) into tokens
		from job_key k where k.limit_key = limit_room.key;
		tokens := coalesce(tokens, rule.burst);
	end if;
end
$function$;
call pin_search_path('limit_room');
