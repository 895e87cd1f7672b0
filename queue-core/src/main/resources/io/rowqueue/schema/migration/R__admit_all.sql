-- Calls admit for many keys, always in the same order. firsts: for each key, the job that must be admitted next if the key is ordered.
create or replace function admit_all(keys text[], firsts bigint[] default null) returns setof text
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	each record;
begin
	for each in select u.key, min(u.first) as first from unnest(keys, firsts) u (key, first) group by u.key order by u.key loop
		return query select admit(each.key, each.first);
	end loop;
end
$function$;
call pin_search_path('admit_all');
