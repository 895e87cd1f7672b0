-- The keys of a limit key, with their units: those of a combination, or the key itself.
create or replace function limit_members(limit_key text, out member text, out units integer) returns setof record
	language plpgsql immutable rows 2 as $function$
begin
	if starts_with(limit_key, 'all:') then
		return query select m.key, greatest(1, m.value::integer) from json_each_text(substr(limit_key, 5)::json) m;
	elsif limit_key is not null then
		member := limit_key;
		units := 1;
		return next;
	end if;
end
$function$;
call pin_search_path('limit_members');
