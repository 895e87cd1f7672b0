-- Erases the stack traces that groups of errors have from jobs that are erased.
create or replace function on_erase_figures(ids bigint[]) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
begin
	-- in the order in which failures are grouped
	perform from error_group g
	where g.sample <> '' and g.id = any (array(select f.error_group from job_failure f where f.job_id = any (ids)))
	order by g.id for no key update;
	update error_group g set sample = ''
	from job_failure f
	where f.job_id = any (ids) and g.id = f.error_group and g.sample <> '' and starts_with(f.error, g.sample);
end
$function$;

-- What other parts of the schema measure: the rows of their functions figures_<part>(), in the order of their names.
create or replace function part_figures() returns table (name text, queue text, state text, value double precision, text text)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	each name;
begin
	for each in
		select p.proname from pg_proc p
		where p.proname >= 'figures_' and p.proname < 'figures`' -- which follows _ in ASCII
			and p.pronamespace = (select c.pronamespace from pg_proc c where c.oid = 'part_figures'::regproc)
		order by p.proname
	loop
		return query execute format('select * from %I()', each);
	end loop;
end
$function$;

call pin_search_path('on_erase_figures', 'part_figures');
