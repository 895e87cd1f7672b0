-- Checks the combination of limit keys that a caller has written, and returns it in the form in which it is stored.
create or replace function combined_key(limit_key text) returns text language plpgsql immutable as $function$
declare
	stored text;
begin
	begin
		select 'all:{' || string_agg(to_json(m.member)::text || ':' || m.units, ',' order by m.member collate "C") || '}' into stored
		from limit_members(limit_key) m having count(*) between 1 and 5
			and bool_and(m.member ~ '\S' and length(m.member) <= 200 and m.units <= 10000 and not m.member ~ '^(fair|all):');
	exception when data_exception then
		stored := null;
	end;
	if stored is null or length(stored) > 600 then
		raise invalid_parameter_value using message = 'a combined limit_key must be ''all:'' and a JSON object of 1 to 5 keys with their'
			|| ' units from 1 to 10000, such as all:{"api:mail":5,"tenant:42":1}, of at most 600 characters';
	end if;
	return stored;
end
$function$;
call pin_search_path('combined_key');
