-- Calls admit for many keys, always in the same order.
create or replace function admit_all(keys text[]) returns setof text
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	each text;
begin
	for each in select distinct k from unnest(keys) k order by k loop
		return query select admit(each);
	end loop;
end
$function$;
call pin_search_path('admit_all');
