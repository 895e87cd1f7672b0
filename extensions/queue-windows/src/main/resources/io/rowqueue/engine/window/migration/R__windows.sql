-- Derives the rows that claims read from the rows of windows, which the caller has written or deleted. A statement of its own, which sees what
-- another transaction has committed while the caller's statement waited for the lock of such a row.
create or replace function follow_windows(names text[]) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	with known as materialized (
		select * from time_window w where w.name = any (names)),
	bound as materialized (
		select 'queue' as kind, unnest(k.queues) as name, k.name as source, k.closing = 'stop' as stops, k.open_from, k.open_until
		from known k
		union
		select 'type', unnest(k.types || k.handler_types), k.name, k.closing = 'stop', k.open_from, k.open_until from known k),
	gone as (
		delete from pause p
		where p.source = any (names) and (p.kind, p.name, p.source) not in (
			select b.kind, b.name, b.source from bound b))
	insert into pause as p (kind, name, source, stops, open_from, open_until)
	select b.kind, b.name, b.source, b.stops, b.open_from, b.open_until from bound b
	on conflict (kind, name, source) do update
	set stops = excluded.stops, open_from = excluded.open_from, open_until = excluded.open_until
	where (p.stops, p.open_from, p.open_until)
		is distinct from (excluded.stops, excluded.open_from, excluded.open_until);
end
$function$;

create or replace view windows as
	select name, zone, times, queues,
		array(select unnest(types) union select unnest(handler_types) order by 1) as types, closing, source,
		clock_timestamp() >= open_from and clock_timestamp() < open_until as open, open_from, open_until
	from time_window;
comment on view windows is 'Windows, and whether they are open';

create or replace function figures_windows() returns table (name text, queue text, state text, value double precision, text text)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	return query
		select 'window.open', w.name, null, w.open::integer::double precision, null from windows w order by w.name limit 100;
end
$function$;

call pin_search_path('follow_windows', 'figures_windows');
