-- Gives a job of a combination its units of all keys, which the caller has locked, and takes tokens of those with a rate.
-- except: a key whose tokens the caller counts.
create or replace function permit(job_id bigint, limit_key text, except_key text) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	part record;
begin
	for part in select m.member, m.units, limit_rule(m.member) as rule from limit_members(permit.limit_key) m loop
		insert into limit_permit as p (member, job_id, limit_key, units)
		values (part.member, permit.job_id, permit.limit_key, part.units)
		on conflict (member, job_id) do update set limit_key = excluded.limit_key, units = excluded.units;
		if (part.rule).rate is not null and part.member <> permit.except_key then
			update job_key k
			set tokens = available_tokens(part.rule, k.tokens, k.tokens_at, clock_timestamp()) - least(part.units, (part.rule).burst),
				tokens_at = clock_timestamp()
			where k.limit_key = part.member;
		end if;
	end loop;
end
$function$;
call pin_search_path('permit');
