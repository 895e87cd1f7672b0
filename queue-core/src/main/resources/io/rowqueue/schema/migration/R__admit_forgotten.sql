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
		select w.limit_key, j.* from waiting w cross join lateral (
			select j.queue, j.type, j.priority, j.worker_id is null as idle from job j
			where j.limit_key = w.limit_key and j.indexed_state in ('queued', 'running') offset 0) j),
	holder as materialized (
		select a.limit_key, count(*) as jobs, min(a.priority) filter (where a.idle) as lowest,
			bool_or(a.idle and not k.claimable) as stuck
		from check_claimable(array(select queue from admitted), array(select type from admitted)) k
		join admitted a on a.queue = k.queue and a.type = k.type group by a.limit_key),
	-- many combinations have a key in common: its room is computed once
	combined as materialized (
		select w.limit_key, m.member, m.units from waiting w cross join lateral limit_members(w.limit_key) m
		where starts_with(w.limit_key, 'all:') or exists (select from limit_member l where l.member = w.limit_key)),
	member as materialized (
		-- only what workers hold: unclaimed jobs may have to yield their places
		select c.member, r.places, r.tokens, r.rule
		from (select distinct c.member from combined c) c cross join lateral limit_room(c.member, true) r)
	select case when count(*) = max_keys then max(w.limit_key) end, array_agg(w.limit_key) filter (where
		case when f.combined then f.free
			when l.kind is null then h.jobs is null
			else l.concurrency is null or l.concurrency > coalesce(h.jobs, 0) end
		or h.stuck and not coalesce(l.ordered, false) and exists (
			select from (
				select array_agg(j.queue) as queues, array_agg(j.type) as types from (
					select j.queue, j.type from job j
					where j.limit_key = w.limit_key and j.indexed_state = 'blocked' and j.awaits_key
					order by j.priority desc, j.order_at, j.id limit 1000) j) next
			cross join lateral check_claimable(next.queues, next.types) k where k.claimable)
		or h.lowest < (select j.priority from job j
			where j.limit_key = w.limit_key and j.indexed_state = 'blocked' and j.awaits_key
			order by j.priority desc, j.order_at, j.id limit 1))
	into last, keys
	from waiting w left join holder h on h.limit_key = w.limit_key
	left join (
		select c.limit_key, true as combined, bool_and(has_room(c.units, m.places, m.tokens, m.rule)) as free
		from combined c join member m on m.member = c.member group by c.limit_key) f on f.limit_key = w.limit_key
	left join lateral (
		select * from job_limit r where r.kind = 'key' and r.name in (w.limit_key, split_part(w.limit_key, ':', 1))
		order by length(r.name) desc limit 1) l on true;
	queues := array(select distinct q from admit_all(keys) q);
end
$function$;
call pin_search_path('admit_forgotten');
