-- The limit of a key: its own one takes precedence over that of its class; without either, one job at a time.
create or replace function limit_rule(key text) returns job_limit
	language plpgsql stable set enable_seqscan = off set jit = off as $function$
declare
	rule job_limit;
begin
	select * into rule from job_limit l
	where l.kind = 'key' and l.name in (key, split_part(key, ':', 1)) order by length(l.name) desc limit 1;
	if not found then
		rule.concurrency := 1;
		rule.ordered := false;
	end if;
	return rule;
end
$function$;
call pin_search_path('limit_rule');
