-- What a job of a combination leaves behind that waits again before a worker has claimed it: returns its tokens of its keys, and lets
-- other jobs of these be admitted. Except those of one key, which the caller counts. A key that another transaction has locked is
-- not waited for: it loses these tokens, and admit_forgotten finds the free place.
create or replace function yield_permit(limit_key text, except_key text) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	part record;
begin
	for part in
		select m.member, m.units, limit_rule(m.member) as rule from limit_members(yield_permit.limit_key) m
		where m.member <> yield_permit.except_key order by m.member
	loop
		perform from job_key k where k.limit_key = part.member for update skip locked;
		if found then
			update job_key k
			set next_at = least(k.next_at, clock_timestamp()),
				tokens = k.tokens + case when (part.rule).rate is null then 0 else least(part.units, (part.rule).burst) end
			where k.limit_key = part.member;
		end if;
	end loop;
end
$function$;
call pin_search_path('yield_permit');
