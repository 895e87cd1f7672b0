-- For each of these queues with the type at its position, once: whether one of them is paused or closed, and whether its jobs
-- can be claimed: neither is paused or closed, and a live worker runs them.
create or replace function check_claimable(queues text[], types text[])
	returns table (queue text, type text, closed boolean, claimable boolean)
	language plpgsql stable set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	return query
		select k.queue, k.type, k.closed, not k.closed and exists (
			select from worker w
			where w.dead_at is null and not w.quiet and k.type = any (w.types) and w.queues && array[k.queue, '*'])
		from (
			select u.queue, u.type, exists (
				select from pause p
				where (p.kind, p.name) in (('queue', u.queue), ('type', u.type)) and is_closed(p)) as closed
			from (select distinct u.queue, u.type from unnest(queues, types) u (queue, type)) u offset 0) k;
end
$function$;
call pin_search_path('check_claimable');
