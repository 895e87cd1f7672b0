-- Checks keys after a given one, in order, and admits jobs that nothing admitted when a place became free, because the process that
-- should have done so died. Also where an admitted job that is not claimed holds the place of another one: no worker can claim it
-- any more, or another job has become more urgent. Returns the last key, or null if there are no more.
create or replace function admit_forgotten(after text, max_keys integer, out last text, out queues text[])
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	keys text[];
begin
	with recursive waiting as (
		(select j.limit_key, 1 as number from job j
		where j.limit_key > after and j.indexed_state = 'blocked' order by j.limit_key limit 1)
		union all
		select next.limit_key, waiting.number + 1 from waiting cross join lateral (
			select j.limit_key from job j
			where j.limit_key > waiting.limit_key and j.indexed_state = 'blocked' order by j.limit_key limit 1) next
		where waiting.number < max_keys),
	admitted as materialized (
		select w.limit_key, r.concurrency, r.ordered, j.*
		from waiting w cross join lateral limit_rule(w.limit_key) r left join lateral (
			select j.queue, j.type, j.priority, j.worker_id is null as idle, coalesce(j.limit_units, 1) as units from job j
			where j.limit_key = w.limit_key and j.indexed_state in ('queued', 'running') offset 0) j on true),
	holder as materialized (
		select a.limit_key, a.concurrency, a.ordered,
			a.concurrency - coalesce(sum(least(a.units, a.concurrency)) filter (where a.units > 0), 0) as places,
			min(a.priority) filter (where a.idle) as lowest, coalesce(bool_or(a.idle and not k.claimable), false) as stuck
		from admitted a
		left join check_claimable(array(select queue from admitted), array(select type from admitted)) k
			on a.queue = k.queue and a.type = k.type
		group by a.limit_key, a.concurrency, a.ordered)
	select case when count(*) = max_keys then max(h.limit_key) end, array_agg(h.limit_key) filter (where
		h.concurrency is null
		or h.places >= least(first.units, h.concurrency)
		or h.lowest < first.priority
		or h.stuck and not h.ordered and exists (
			select from (
				select array_agg(j.queue) as queues, array_agg(j.type) as types from (
					select j.queue, j.type from job j
					where j.limit_key = h.limit_key and j.indexed_state = 'blocked' and j.awaits_key
					order by j.priority desc, j.order_at, j.id limit 1000) j) next
			cross join lateral check_claimable(next.queues, next.types) k where k.claimable))
	into last, keys
	from holder h left join lateral (
		select j.priority, coalesce(j.limit_units, 1) as units from job j
		where j.limit_key = h.limit_key and j.indexed_state = 'blocked' and j.awaits_key
		order by j.priority desc, j.order_at, j.id limit 1) first on true;
	queues := array(select distinct q from admit_all(keys) q);
end
$function$;
call pin_search_path('admit_forgotten');
