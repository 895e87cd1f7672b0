-- Rows that have left another shard, with the new numbers that their jobs got in this transaction. The texts of the rows
-- stay as they are otherwise: the first column of this name is one that contains the id of a job.
create or replace function renumber_rows(content json, name text) returns json language plpgsql as $function$
declare
	numbers constant jsonb = nullif(current_setting('rowqueue.renumbered', true), '')::jsonb;
begin
	if numbers is null then
		return content;
	end if;
	return (
		select json_agg(case when numbers ? (e ->> name)
			then regexp_replace(e::text, format('"%s":\d+', name), format('"%s":%s', name, numbers ->> (e ->> name)))::json
			else e end order by place)
		from json_array_elements(content) with ordinality as rows (e, place));
end
$function$;
call pin_search_path('renumber_rows');
