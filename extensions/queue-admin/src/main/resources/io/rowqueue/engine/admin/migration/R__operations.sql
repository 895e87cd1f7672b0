-- Erases what was written or sent to jobs that are erased: the names of their steps and signals.
create or replace function on_erase_operations(ids bigint[]) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
begin
	update operation o set parameters = '{}'
	where o.kind = 'jobs' and o.name = any (ids::text[]) and o.parameters <> '{}';
end
$function$;

-- The oldest records are the first ones.
create or replace function on_retain_operations(ids bigint[]) returns boolean
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	batch constant integer = 5000;
	deleted integer;
begin
	delete from operation o where o.id = any (array(
		select old.id from (select r.id, r.at from operation r order by r.id limit batch) old
		where old.at < statement_timestamp() - interval '365 days'));
	get diagnostics deleted = row_count;
	return deleted = batch;
end
$function$;

-- A value in a payload, null if there is none. A payload that PostgreSQL stores and cannot read, because a text has the character NUL, has none.
create or replace function payload_value(payload json, path text[]) returns text
	language plpgsql immutable strict parallel safe as $function$
begin
	return payload #>> path;
exception when untranslatable_character or invalid_text_representation then
	return null;
end
$function$;

call pin_search_path('on_erase_operations', 'on_retain_operations', 'payload_value');
