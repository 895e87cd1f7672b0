-- Leases jobs of lanes whose queue or type has a limit. The limits are locked first; each following statement sees what
-- was committed before it began, so no other claim comes between the count and the claim. A limit that another worker has
-- locked is not waited for. In addition to the jobs, there may be one row without an id, whose run_at is the time to claim again.
create or replace function claim_limited(worker_id bigint, pools text[], free integer[], lane_pools text[], queues text[],
		types text[], priorities smallint[], marks timestamptz[], max_jobs integer[]) returns setof job
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	rule job_limit;
	label text;
	classes text[] = array(select queue_class(q) from unnest(queues) with ordinality u (q, place) order by u.place);
	limits text[];                   -- the limits that apply to these lanes
	labels text[];                   -- those that apply to one lane
	counting text[] := '{}';         -- the limits whose slots are counted
	room jsonb := '{}';              -- the number of jobs that each locked limit allows
	bucket jsonb := '{}';            -- the tokens of each limit
	rates jsonb := '{}';             -- the tokens per second of each limit
	tokens_until timestamptz;        -- the time until which tokens are counted
	now timestamptz;
	capped text[] := '{}';           -- the limits with more tokens than their burst
	pool_room jsonb := jsonb_object(pools, free::text[]);
	jobs integer;
	taken integer;
	tids tid[];
	again timestamptz;
	nothing job;
begin
	if not exists (select from worker w where w.id = claim_limited.worker_id and w.dead_at is null) then
		return;
	end if;
	limits := array(select l.kind || ' ' || l.name from job_limit l
		where (l.kind = 'queue' and l.name = any (queues || classes)) or (l.kind = 'type' and l.name = any (types)));
	tokens_until := clock_timestamp();
	for rule in
		select * from job_limit l
		where (l.kind = 'queue' and l.name = any (queues || classes)) or (l.kind = 'type' and l.name = any (types))
		order by l.kind, l.name for update skip locked
	loop
		label := rule.kind || ' ' || rule.name;
		jobs := 1000000;
		if rule.concurrency is not null then
			delete from job_slot s where s.kind = rule.kind and s.name = rule.name
				and (select j.worker_id from job j where j.id = s.job_id and j.lease = s.lease) is null;
			if rule.counted_at is null or rule.counted_at <= rule.changed_at + interval '1 minute' then
				-- jobs that were claimed before the limit was known: a worker sweeps at least every half minute. They are counted until the
				-- first claim after this time, however much later it is
				insert into job_slot (kind, name, job_id, lease)
				select rule.kind, rule.name, j.id, j.lease from leased_jobs j
				where case rule.kind when 'queue' then rule.name in (j.queue, queue_class(j.queue)) else rule.name = j.type end
				on conflict (kind, name, job_id) do nothing;
				update job_limit l set counted_at = clock_timestamp()
				where l.kind = rule.kind and l.name = rule.name and l.changed_at <= clock_timestamp() - interval '1 minute';
			end if;
			jobs := greatest(0, rule.concurrency
				- (select count(*) from job_slot s where s.kind = rule.kind and s.name = rule.name));
			counting := counting || label;
		end if;
		if rule.rate is not null then
			if rule.tokens_at > tokens_until then -- the clock was set back
				update job_limit l set tokens_at = tokens_until where l.kind = rule.kind and l.name = rule.name;
			end if;
			rule.tokens := available_tokens(rule, rule.tokens, rule.tokens_at, tokens_until);
			bucket := bucket || jsonb_build_object(label, rule.tokens);
			rates := rates || jsonb_build_object(label, rule.rate / extract(epoch from rule.rate_period));
			if rule.tokens < 1 and jobs > 0 then
				again := least(again, next_token(rule, rule.tokens, clock_timestamp()));
			end if;
			if floor(rule.tokens) > rule.burst and jobs > rule.burst then
				capped := capped || label;
			end if;
			jobs := least(jobs, floor(rule.tokens), rule.burst);
		end if;
		room := room || jsonb_build_object(label, jobs);
	end loop;

	for i in 1..cardinality(queues) loop
		labels := array(select distinct l from unnest(array['queue ' || queues[i], 'queue ' || classes[i], 'type ' || types[i]]) l
			where l = any (limits) or room ? l);
		if not room ?& labels then
			again := least(again, clock_timestamp() + interval '5 milliseconds');
			continue;
		end if;
		jobs := least(max_jobs[i], (pool_room ->> lane_pools[i])::integer,
			(select min((room ->> l)::integer) from unnest(labels) l));
		continue when jobs <= 0 or exists (
			select from pause p where (p.kind, p.name) in (('queue', queues[i]), ('queue', classes[i]), ('type', types[i]))
				and is_closed(p));
		tids := array( -- a case expression: for an equation, the planner expects few rows
			select j.ctid from job j
			where j.indexed_state = 'queued' and case when j.worker_id is null then true else false end and j.queue = queues[i]
				and j.type = types[i] and j.priority = priorities[i] and j.order_at >= marks[i]
			order by j.queue, j.type, j.priority, j.order_at, j.id
			limit jobs for no key update skip locked);
		taken := cardinality(tids);
		continue when taken = 0;
		return query
			with claimed as (
				update job j
				set state = 'starting', attempt = least(j.attempt, 32766) + 1, lease = j.lease + 1,
					worker_id = claim_limited.worker_id, leased_at = clock_timestamp()
				where j.ctid = any (tids)
				returning j.*),
			slots as (
				insert into job_slot (kind, name, job_id, lease)
				select split_part(l, ' ', 1), substr(l, strpos(l, ' ') + 1), c.id, c.lease
				from claimed c cross join unnest(labels) l where l = any (counting)
				on conflict (kind, name, job_id) do update set lease = excluded.lease),
			noted as (
				insert into claim (worker_id, job_ids) select claim_limited.worker_id, array_agg(c.id) from claimed c)
			select * from claimed;
		now := clock_timestamp(); -- count the tokens that were added during the claim
		bucket := coalesce((
			select jsonb_object_agg(b.key, b.value::double precision
				+ greatest(0, extract(epoch from now - tokens_until)) * (rates ->> b.key)::double precision)
			from jsonb_each_text(bucket) b), '{}');
		tokens_until := now;
		pool_room := pool_room || jsonb_build_object(lane_pools[i], (pool_room ->> lane_pools[i])::integer - taken);
		foreach label in array labels loop
			room := room || jsonb_build_object(label, (room ->> label)::integer - taken);
			if bucket ? label then
				bucket := bucket || jsonb_build_object(label, (bucket ->> label)::double precision - taken);
				update job_limit l set tokens = (bucket ->> label)::double precision, tokens_at = clock_timestamp()
				where l.kind = split_part(label, ' ', 1) and l.name = substr(label, strpos(label, ' ') + 1)
				returning l.* into rule;
				if rule.tokens < 1 then
					again := least(again, next_token(rule, rule.tokens, clock_timestamp()));
				end if;
			end if;
		end loop;
	end loop;
	if exists (select from unnest(capped) c (label) where (room ->> c.label)::integer = 0) then
		again := clock_timestamp();
	end if;
	if again is not null then
		nothing.run_at := again;
		return next nothing;
	end if;
end
$function$;

-- Holds a queue, a type or a limit key for some time, or until a time: no worker claims its jobs. A longer hold stays. Admitted jobs
-- of a key that are not claimed wait again, and return their tokens; the key is admitted when the hold ends.
create or replace function hold(kind text, name text, until timestamptz, reason text) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	rule job_limit;
begin
	insert into pause as p (kind, name, reason, source, open_from, open_until)
	values (hold.kind, hold.name, hold.reason, ':hold', hold.until, 'infinity')
	on conflict (kind, name, source) do update
	set paused_at = case when p.open_from < clock_timestamp() then excluded.paused_at else p.paused_at end,
		reason = case when p.open_from < excluded.open_from then excluded.reason else p.reason end,
		open_from = greatest(p.open_from, excluded.open_from);
	if hold.kind = 'key' then
		insert into job_key as k (limit_key, next_at) values (hold.name, hold.until)
		on conflict (limit_key) do update set next_at = greatest(k.next_at, excluded.next_at);
		rule := limit_rule(hold.name);
		with yielded as (
			update job j set state = 'blocked', awaits_key = true, order_at = deadline(j.run_at, j.tolerance)
			where j.ctid = any (array(
				select q.ctid from job q
				where q.limit_key = hold.name and q.indexed_state = 'queued' and q.worker_id is null
				order by q.id for no key update skip locked))
			returning j.id, j.lease, j.leased_at, least(coalesce(j.limit_units, 1), rule.burst) as tokens)
		update job_key k
		set tokens = case when rule.rate is null then k.tokens else k.tokens + y.tokens end,
			first_id = coalesce(y.first, k.first_id) -- a job of an ordered key that has begun keeps its place
		from (
			select sum(tokens) as tokens, max(id) filter (where rule.ordered and keeps_place(lease, leased_at)) as first
			from yielded having count(*) > 0) y
		where k.limit_key = hold.name;
	end if;
end
$function$;

-- After the limit of a key or of a class of keys was changed: has those keys admitted soon of which more jobs are admitted than the
-- limit allows, so that jobs that no worker has claimed wait again.
create or replace function recheck_admitted(changed text) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	update job_key k set next_at = least(k.next_at, clock_timestamp())
	where k.limit_key = any (array( -- in the order in which admissions lock keys
		select c.limit_key from job_key c cross join lateral limit_rule(c.limit_key) r
		where (c.limit_key = changed or starts_with(c.limit_key, changed || ':'))
			and r.concurrency < (
				select sum(least(coalesce(j.limit_units, 1), r.concurrency)) from job j
				where j.limit_key = c.limit_key and j.indexed_state in ('queued', 'running'))
		order by c.limit_key for update of c));
end
$function$;

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
				where (p.kind, p.name) in (('queue', u.queue), ('queue', queue_class(u.queue)), ('type', u.type))
					and is_closed(p)) as closed
			from (select distinct u.queue, u.type from unnest(queues, types) u (queue, type)) u offset 0) k;
end
$function$;

-- The limit of a key: its own one takes precedence over that of its class; without either, one job at a time.
create or replace function limit_rule(key text) returns job_limit
	language plpgsql stable set enable_seqscan = off set jit = off as $function$
declare
	rule job_limit;
begin
	select * into rule from job_limit l
	where l.kind = 'key' and l.name in (key, split_part(key, ':', 1)) order by length(l.name) desc limit 1;
	if not found then
		rule.concurrency := 1;
		rule.ordered := false;
	end if;
	return rule;
end
$function$;

-- The class of a queue, if it belongs to one: whatever is said of closing:* applies to the queue closing:ledger as well. Null, for
-- which an index is not even searched, if its name has no colon.
create or replace function queue_class(queue text) returns text
	language sql immutable
	return nullif(split_part(queue, ':', 1), queue) || ':*';

-- Whether a row of pause stops claims now: it was paused manually, or its window is closed.
create or replace function is_closed(p pause) returns boolean
	language sql volatile
	return p.open_from is null or clock_timestamp() < p.open_from or clock_timestamp() >= p.open_until;

-- Whether a job of an ordered key has begun, so that no other job of the key goes before it. A replaced job begins anew. The
-- planner inlines the function, as each one of this form.
create or replace function keeps_place(lease integer, leased_at timestamptz) returns boolean
	language sql immutable
	return lease > 0 and leased_at is not null;

-- The number of jobs that may start now: a bucket fills with time. The operators of a function of this form are bound when it is
-- created: no role can substitute one, and the planner can still inline the function.
create or replace function tokens_now(rule job_limit, tokens double precision, tokens_at timestamptz, at timestamptz)
	returns double precision language sql immutable
	return least(rule.burst, coalesce(tokens + greatest(0, extract(epoch from at - tokens_at))
		* rule.rate / extract(epoch from rule.rate_period), rule.burst))::double precision;

-- The number of tokens for a claim. A claim that is a little late also gets the tokens that were added meanwhile, even beyond
-- the burst: up to one token, or those of 50 ms. Otherwise a bucket of one token would lose a part of its rate to the latency of
-- workers. After a longer pause there are at most as many tokens as the burst.
create or replace function available_tokens(rule job_limit, tokens double precision, tokens_at timestamptz, at timestamptz)
	returns double precision language plpgsql immutable as $function$
declare
	wide job_limit = rule;
	found_tokens double precision;
begin
	wide.burst := least(2147483647, rule.burst + greatest(1, ceil(rule.rate * 0.05 / extract(epoch from rule.rate_period))));
	found_tokens := tokens_now(wide, tokens, tokens_at, at);
	return case when found_tokens < wide.burst then found_tokens else rule.burst end;
end
$function$;

-- When the next job may start, given the number of tokens now.
create or replace function next_token(rule job_limit, tokens double precision, at timestamptz) returns timestamptz
	language sql stable
	return at + greatest(0, 1 - tokens) / rule.rate * rule.rate_period;

call pin_search_path('claim_limited', 'hold', 'recheck_admitted', 'check_claimable', 'limit_rule', 'available_tokens');
