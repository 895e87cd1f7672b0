-- Moves jobs that wait for their limit key from blocked to queued, as many as the limit allows. Returns their queues.
-- first: for an ordered key, the job that must be admitted next whatever the order is. The row of the key keeps it, if it cannot be
-- admitted now because the key is held or has no token.
-- Order: jobs that a worker can claim, then higher priorities, then earlier deadlines. A job whose units are not free is not
-- overtaken: no later one is admitted before it. One with more units than the limit counts as the whole limit.
-- An admitted job that has not been claimed yields its units to a job before it in this order. If the key is ordered, it yields only
-- if it was never claimed, and the order ignores whether a worker can claim it. The key is locked first; jobs locked by other
-- transactions are skipped. If the key is ordered, all jobs that are due count, also those that do not wait yet: however late one
-- arrives, and with whatever due time, no job is admitted before it that comes after it.
create or replace function admit(limit_key text, first bigint default null) returns setof text
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	rule job_limit;
	bucket job_key;
	places double precision = 'infinity'; -- units that the concurrency allows; negative: the limit was lowered
	tokens double precision = 'infinity'; -- units that the rate and the burst allow
	idle integer = 0;                -- the number of admitted jobs that are not claimed: they could yield their units
	holders cursor for               -- these jobs, in the order in which they yield
		with held as materialized (
			select j.id, j.priority, deadline(j.run_at, j.tolerance) as order_at, j.queue, j.type, coalesce(j.limit_units, 1) as units
			from job j where j.limit_key = admit.limit_key and j.indexed_state = 'queued'
				and case when j.worker_id is null then true else false end and not (rule.ordered and keeps_place(j.lease, j.leased_at)))
		select h.*, k.claimable or rule.ordered as claimable
		from check_claimable(array(select queue from held), array(select type from held)) k
		join held h on h.queue = k.queue and h.type = k.type
		order by k.claimable or rule.ordered, h.priority, h.order_at desc, h.id desc;
	holder record;
	more boolean = false;            -- whether there is a holder that has not yielded
	wanted integer;
	looked integer;
	read integer;
	claimable bigint[];
	others bigint[];
	next bigint[] = '{}';            -- the jobs to admit, in this order, as far as there are units or others yield theirs
	candidate record;
	yielded integer;
	yielded_places integer;
	yielded_tokens integer;
	needed integer = 1;              -- the units of the first job that was not admitted
	back tid[] = '{}';               -- the jobs that yield
	tids tid[] = '{}';               -- the jobs that are admitted
	fair bigint[] = '{}';            -- and those with a fairness key as well
	row_tid tid;
	now timestamptz;
	allowed double precision;
	due_at timestamptz;              -- of an ordered key
	waits boolean;                   -- whether jobs wait for a token
	held_until timestamptz;
begin
	if starts_with(admit.limit_key, 'fair:') then
		return; -- nothing waits for it
	end if;
	loop
		select * into bucket from job_key k where k.limit_key = admit.limit_key for update;
		exit when found;
		insert into job_key (limit_key) values (admit.limit_key) on conflict (limit_key) do nothing;
	end loop;
	rule := limit_rule(admit.limit_key);
	if rule.ordered and first is not null then
		update job_key k set first_id = first where k.limit_key = admit.limit_key;
	elsif rule.ordered then
		first := bucket.first_id;
	end if;
	select p.open_from into held_until from pause p
	where p.kind = 'key' and p.name = admit.limit_key and is_closed(p) order by p.open_from desc limit 1;
	if found then
		update job_key k set next_at = held_until where k.limit_key = admit.limit_key;
		return;
	end if;

	if rule.concurrency is not null then
		select rule.concurrency - coalesce(sum(least(coalesce(j.limit_units, 1), rule.concurrency)), 0),
			count(*) filter (where j.worker_id is null)
		into places, idle
		from job j where j.limit_key = admit.limit_key and j.indexed_state in ('queued', 'running');
	end if;
	if rule.rate is not null then
		now := clock_timestamp();
		bucket.tokens := available_tokens(rule, bucket.tokens, bucket.tokens_at, now);
		allowed := least(floor(bucket.tokens), rule.burst);
		tokens := allowed;
	end if;
	if idle > 0 then
		open holders;
		fetch holders into holder;
		more := found;
	end if;
	while places < 0 loop
		exit when not more;
		select j.ctid into row_tid from job j where j.id = holder.id and j.state = 'queued' for no key update skip locked;
		if found then
			back := back || row_tid;
			places := places + least(holder.units, rule.concurrency);
			tokens := tokens + least(holder.units, rule.burst);
		end if;
		fetch holders into holder;
		more := found;
	end loop;

	wanted := least(1000, greatest(places, 0), greatest(tokens, 0)) + least(idle, 100);
	if rule.ordered and exists (select from job j
			where j.limit_key = admit.limit_key and j.indexed_state = 'scheduled' and keeps_place(j.lease, j.leased_at))
	then
		waits := false; -- this job failed or was postponed, and keeps its place; its arrival calls this function again
	elsif wanted > 0 and rule.ordered then
		due_at := clock_timestamp();
		claimable := array(select coalesce(
			(select f.id from job f where f.id = first and f.limit_key = admit.limit_key and f.state = 'blocked' and f.awaits_key
				and keeps_place(f.lease, f.leased_at)),
			(select n.id from (
				(select j.id, j.priority, j.order_at from job j
				where j.limit_key = admit.limit_key and j.indexed_state = 'blocked' and j.awaits_key
				order by j.priority desc, j.order_at, j.id limit 1)
				union all
				(select j.id, j.priority, j.order_at from job j
				where j.limit_key = admit.limit_key and j.indexed_state = 'scheduled' and j.run_at <= due_at
				order by j.priority desc, j.order_at, j.id limit 1)) n
			order by n.priority desc, n.order_at, n.id limit 1)));
		next := claimable;
	elsif wanted > 0 then
		foreach looked in array array[wanted, 10000] loop -- usually the first few jobs suffice
			with waiting as materialized (
				select j.id, j.queue, j.type, row_number() over (order by j.priority desc, j.order_at, j.id) as place from (
					select * from job j where j.limit_key = admit.limit_key and j.indexed_state = 'blocked' and j.awaits_key
					order by j.priority desc, j.order_at, j.id limit looked) j),
			judged as (
				select w.id, w.place, k.closed, k.claimable
				from check_claimable(array(select queue from waiting), array(select type from waiting)) k
				join waiting w on w.queue = k.queue and w.type = k.type)
			select array_agg(id order by place) filter (where claimable),
				-- the jobs of a closed queue would all start together when it opens
				array_agg(id order by place) filter (where not claimable and not (closed and rule.rate is not null)), count(*)
			into claimable, others, read from judged;
			exit when cardinality(claimable) >= wanted or read < looked;
		end loop;
		claimable := coalesce(claimable[1:wanted], '{}');
		next := claimable || others[1:wanted - cardinality(claimable)];
	end if;

	for candidate in
		select j.id, j.priority, j.order_at, coalesce(j.limit_units, 1) as units, n.place <= cardinality(claimable) as claimable,
			j.headers ->> 'fairness-key' is not null as fair
		from unnest(next) with ordinality n (id, place) cross join lateral (select * from job j where j.id = n.id offset 0) j
		order by n.place
	loop
		yielded := cardinality(back);
		yielded_places := 0;
		yielded_tokens := 0;
		while least(candidate.units, rule.concurrency) > places + yielded_places
			or least(candidate.units, rule.burst) > tokens + yielded_tokens
		loop
			exit when not more or not candidate.claimable;
			exit when holder.claimable and (-holder.priority::integer, holder.order_at, holder.id)
				<= (-candidate.priority::integer, candidate.order_at, candidate.id);
			select j.ctid into row_tid from job j where j.id = holder.id and j.state = 'queued' for no key update skip locked;
			if found then
				back := back || row_tid;
				yielded_places := yielded_places + least(holder.units, rule.concurrency);
				yielded_tokens := yielded_tokens + least(holder.units, rule.burst);
			end if;
			fetch holders into holder;
			more := found;
		end loop;
		if least(candidate.units, rule.concurrency) > places + yielded_places
			or least(candidate.units, rule.burst) > tokens + yielded_tokens
		then
			back := back[1:yielded];
			needed := least(candidate.units, rule.burst);
			exit;
		end if;
		select j.ctid into row_tid from job j
		where j.id = candidate.id and (j.state = 'blocked' and j.awaits_key or j.state = 'scheduled' and j.run_at <= due_at)
		for no key update skip locked;
		if found then
			if candidate.fair then
				fair := fair || candidate.id;
			else
				tids := tids || row_tid;
			end if;
			places := places + yielded_places - least(candidate.units, rule.concurrency);
			tokens := tokens + yielded_tokens - least(candidate.units, rule.burst);
		else
			back := back[1:yielded];
		end if;
	end loop;
	if idle > 0 then
		close holders; -- before PostgreSQL 16, the next call in the transaction would find it in use
	end if;
	update job j set state = 'blocked', awaits_key = true, order_at = deadline(j.run_at, j.tolerance) where j.ctid = any (back);
	return query
		with admitted as (
			update job j set state = 'queued', awaits_key = null where j.ctid = any (tids)
			returning j.queue)
		select distinct queue from admitted;
	if fair <> '{}' then
		return query select place_fairly(fair, true);
	end if;

	if now is not null then
		bucket.tokens := bucket.tokens - (allowed - tokens);
		waits := coalesce(waits, tokens < needed and exists (
			select from job j where j.limit_key = admit.limit_key and j.indexed_state = 'blocked' and j.awaits_key));
		update job_key k
		set tokens = bucket.tokens, tokens_at = now,
			next_at = case when waits then next_token(rule, bucket.tokens - (needed - 1), now) end -- at once if only the burst was the limit
		where k.limit_key = admit.limit_key;
	elsif bucket.next_at is not null then
		update job_key k set next_at = null where k.limit_key = admit.limit_key;
	end if;
end
$function$;

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

call pin_search_path('admit', 'admit_all', 'admit_forgotten');
