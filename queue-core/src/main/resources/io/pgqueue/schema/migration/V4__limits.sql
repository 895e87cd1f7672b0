-- How many jobs of a queue, a type or a key run at once, and how many may begin in a time: in the whole cluster.

create table job_limit (
	kind         text        not null,
	name         text        not null,              -- a queue, a type, or the class of keys: what stands before their ':'
	concurrency  integer,                           -- how many run at once; null: any number
	rate         integer,                           -- how many begin in each rate_period; null: any number
	rate_period  interval,
	burst        integer,                           -- how many may begin at once after a rest
	ordered      boolean     not null default false, -- the jobs of a key run one after the other, whatever becomes of them
	source       text        not null,              -- who said so last: properties, or admin, who outweighs them
	changed_at   timestamptz not null default clock_timestamp(),
	tokens       double precision,                  -- how many could begin at tokens_at; null: all of the burst
	tokens_at    timestamptz,
	primary key (kind, name),
	constraint job_limit_kind check (kind in ('queue', 'type', 'key')),
	constraint job_limit_source check (source in ('properties', 'admin')),
	constraint job_limit_concurrency check (concurrency > 0),
	constraint job_limit_rate check (rate > 0 and burst > 0 and rate_period > interval '0'
		or rate is null and burst is null and rate_period is null),
	constraint job_limit_ordered check (not ordered or (kind = 'key' and concurrency = 1))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Leases that count for a limit of a queue or type. One counts for as long as its job has it and not longer: nobody has
-- to give a slot back, and so none is lost. What does not count any more goes when the limit is looked at next.
create table job_slot (
	kind         text        not null,
	name         text        not null,
	job_id       bigint      not null,
	lease        integer     not null,
	primary key (kind, name, job_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);

-- A row for each limit key that is in use: whoever lets jobs of the key in locks it.
create table job_key (
	limit_key    text        primary key,
	tokens       double precision,
	tokens_at    timestamptz,
	next_at      timestamptz                        -- when the token comes that a waiting job needs; null: none waits for one
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index job_key_next on job_key (next_at) where next_at is not null;

insert into maintenance_task (name, next_run_at) values ('admit', now());

-- How many may begin now, by a bucket that fills with time. Functions of this form are bound to their operators when they
-- are created: nobody can slip them one of his own, and the planner can still put them in the place of the call.
create function tokens_now(rule job_limit, tokens double precision, tokens_at timestamptz, at timestamptz)
	returns double precision language sql immutable
	return least(rule.burst, coalesce(tokens + greatest(0, extract(epoch from at - tokens_at))
		* rule.rate / extract(epoch from rule.rate_period), rule.burst))::double precision;

-- When the next one may begin, if so many could now.
create function next_token(rule job_limit, tokens double precision, at timestamptz) returns timestamptz
	language sql stable
	return at + greatest(0, 1 - tokens) / rule.rate * rule.rate_period;

-- How many there are for one who comes for them. Who comes a little late finds what came meanwhile, though that is more than
-- the burst: up to one, or what comes in 50 ms. Otherwise a bucket of one would lose a part of its rate to the way of the
-- workers. After a longer rest there is the burst and no more.
create function tokens_at_hand(rule job_limit, tokens double precision, tokens_at timestamptz, at timestamptz)
	returns double precision language plpgsql immutable as $function$
declare
	wide job_limit = rule;
	found_tokens double precision;
begin
	wide.burst := rule.burst + greatest(1, ceil(rule.rate * 0.05 / extract(epoch from rule.rate_period)));
	found_tokens := tokens_now(wide, tokens, tokens_at, at);
	return case when found_tokens < wide.burst then found_tokens else rule.burst end;
end
$function$;

-- Leases jobs of lanes whose queue or type has a limit. The limits are locked first; each following statement sees what
-- was committed before it began, so nobody claims between the count and the claim. A limit that another worker has just
-- locked is not waited for. Beside the jobs there may be one row without an id: its run_at is the time to ask again.
create function claim_limited(worker_id bigint, pools text[], free integer[], lane_pools text[], queues text[],
		types text[], priorities smallint[], marks timestamptz[], most integer[]) returns setof job
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	rule job_limit;
	label text;
	limits text[];                   -- those that apply here
	counting text[] := '{}';         -- those whose slots are counted
	room jsonb := '{}';              -- how many jobs each limit that is locked has room for
	bucket jsonb := '{}';            -- how many tokens each has
	rates jsonb := '{}';             -- how many come in a second
	counted_at timestamptz;          -- until when they are counted
	now timestamptz;
	capped text[] := '{}';           -- those that have more than may begin at once
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
		where (l.kind = 'queue' and l.name = any (queues)) or (l.kind = 'type' and l.name = any (types)));
	counted_at := clock_timestamp();
	for rule in
		select * from job_limit l
		where (l.kind = 'queue' and l.name = any (queues)) or (l.kind = 'type' and l.name = any (types))
		order by l.kind, l.name for update skip locked
	loop
		label := rule.kind || ' ' || rule.name;
		jobs := 1000000;
		if rule.concurrency is not null then
			delete from job_slot s where s.kind = rule.kind and s.name = rule.name
				and (select j.worker_id from job j where j.id = s.job_id and j.lease = s.lease) is null;
			if rule.changed_at > clock_timestamp() - interval '1 minute' then
				-- jobs that were claimed before the limit was known: a worker sweeps at least every half minute
				insert into job_slot (kind, name, job_id, lease)
				select rule.kind, rule.name, j.id, j.lease from leased_jobs j
				where case rule.kind when 'queue' then j.queue else j.type end = rule.name
				on conflict (kind, name, job_id) do nothing;
			end if;
			jobs := greatest(0, rule.concurrency
				- (select count(*) from job_slot s where s.kind = rule.kind and s.name = rule.name));
			counting := counting || label;
		end if;
		if rule.rate is not null then
			if rule.tokens_at > counted_at then -- the clock went back
				update job_limit l set tokens_at = counted_at where l.kind = rule.kind and l.name = rule.name;
			end if;
			rule.tokens := tokens_at_hand(rule, rule.tokens, rule.tokens_at, counted_at);
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
		if ('queue ' || queues[i] = any (limits) and not room ? ('queue ' || queues[i]))
			or ('type ' || types[i] = any (limits) and not room ? ('type ' || types[i]))
		then
			again := least(again, clock_timestamp() + interval '5 milliseconds');
			continue;
		end if;
		jobs := least(most[i], (pool_room ->> lane_pools[i])::integer, (room ->> ('queue ' || queues[i]))::integer,
			(room ->> ('type ' || types[i]))::integer);
		continue when jobs <= 0 or exists (
			select from pause p where (p.kind, p.name) in (('queue', queues[i]), ('type', types[i])) and (p.open_from is null
				or clock_timestamp() < p.open_from or clock_timestamp() >= p.open_until));
		tids := array( -- a case, since the planner takes an equation for one that few rows meet
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
				select l.kind, l.name, c.id, c.lease
				from claimed c cross join (values ('queue', queues[i]), ('type', types[i])) l (kind, name)
				where l.kind || ' ' || l.name = any (counting)
				on conflict (kind, name, job_id) do update set lease = excluded.lease),
			noted as (
				insert into claim (worker_id, job_ids) select claim_limited.worker_id, array_agg(c.id) from claimed c)
			select * from claimed;
		now := clock_timestamp(); -- what came while the jobs were claimed counts
		bucket := coalesce((
			select jsonb_object_agg(b.key, b.value::double precision
				+ greatest(0, extract(epoch from now - counted_at)) * (rates ->> b.key)::double precision)
			from jsonb_each_text(bucket) b), '{}');
		counted_at := now;
		pool_room := pool_room || jsonb_build_object(lane_pools[i], (pool_room ->> lane_pools[i])::integer - taken);
		foreach label in array array['queue ' || queues[i], 'type ' || types[i]] loop
			if room ? label then
				room := room || jsonb_build_object(label, (room ->> label)::integer - taken);
			end if;
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

-- Each of these queues with the type at its place, once: whether one of them is closed, and whether somebody may claim its
-- jobs, since none is and a living worker runs them.
create function job_kinds(queues text[], types text[])
	returns table (queue text, type text, closed boolean, claimable boolean)
	language plpgsql stable set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	return query
		select k.queue, k.type, k.closed, not k.closed and exists (
			select from worker w
			where w.dead_at is null and k.type = any (w.types) and w.queues && array[k.queue, '*'])
		from (
			select u.queue, u.type, exists (
				select from pause p
				where (p.kind, p.name) in (('queue', u.queue), ('type', u.type)) and (p.open_from is null
					or clock_timestamp() < p.open_from or clock_timestamp() >= p.open_until)) as closed
			from (select distinct u.queue, u.type from unnest(queues, types) u (queue, type)) u offset 0) k;
end
$function$;

-- Lets jobs of a key in that wait for it, as many as its limit has room for: from blocked to queued. Returns their queues.
-- first: the one whose turn it is whatever the order says, if the key is ordered.
-- Those that somebody can claim go first, then those of a bigger priority, then those with an earlier deadline. One that
-- was let in and is not claimed gives its place to one that goes before it; if the key is ordered, only unless it was
-- claimed before, and whether somebody can claim it does not matter. The key is locked first; jobs that others have locked
-- are passed over.
create function admit(limit_key text, first bigint default null) returns setof text
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	rule job_limit;
	bucket job_key;
	room integer = 1000;             -- how many there is room for
	idle integer = 0;                -- how many were let in and are not claimed: they could give their places
	wanted integer;
	looked integer;
	read integer;
	claimable bigint[];
	others bigint[];
	next bigint[];                   -- who is let in, in this order, as far as there is room or a place is given
	back tid[] = '{}';               -- who gives his place
	tids tid[];
	now timestamptz;
	next_at timestamptz;
begin
	loop
		select * into bucket from job_key k where k.limit_key = admit.limit_key for update;
		exit when found;
		insert into job_key (limit_key) values (admit.limit_key) on conflict (limit_key) do nothing;
	end loop;
	select * into rule from job_limit l where l.kind = 'key' and l.name = split_part(admit.limit_key, ':', 1);
	if not found then
		rule.concurrency := 1;
		rule.ordered := false;
	end if;
	if rule.concurrency is not null then
		select least(room, rule.concurrency - count(*)), count(*) filter (where j.worker_id is null) into room, idle from job j
		where j.limit_key = admit.limit_key and j.indexed_state in ('queued', 'running');
	end if;
	if rule.ordered and exists (select from job j
			where j.limit_key = admit.limit_key and j.indexed_state = 'scheduled' and j.lease > 0)
	then
		return; -- it failed or was put off, and keeps its place
	end if;
	if room > 0 and rule.rate is not null then
		now := clock_timestamp();
		bucket.tokens := tokens_at_hand(rule, bucket.tokens, bucket.tokens_at, now);
		room := least(room, floor(bucket.tokens), rule.burst);
	end if;
	room := greatest(room, 0);
	wanted := room + least(idle, 100);
	if wanted > 0 and rule.ordered then
		next := array(select coalesce(
			(select f.id from job f where f.id = first and f.limit_key = admit.limit_key and f.state = 'blocked' and f.awaits_key),
			(select n.id from job n where n.limit_key = admit.limit_key and n.indexed_state = 'blocked' and n.awaits_key
			order by n.priority desc, n.order_at, n.id limit 1)));
	elsif wanted > 0 then
		foreach looked in array array[wanted, 10000] loop -- usually the first ones do
			with waiting as materialized (
				select j.id, j.queue, j.type, row_number() over (order by j.priority desc, j.order_at, j.id) as place from (
					select * from job j where j.limit_key = admit.limit_key and j.indexed_state = 'blocked' and j.awaits_key
					order by j.priority desc, j.order_at, j.id limit looked) j),
			judged as (
				select w.id, w.place, k.closed, k.claimable
				from job_kinds(array(select queue from waiting), array(select type from waiting)) k
				join waiting w on w.queue = k.queue and w.type = k.type)
			select array_agg(id order by place) filter (where claimable),
				-- those of a closed queue would all begin at once when it opens
				array_agg(id order by place) filter (where not claimable and not (closed and rule.rate is not null)), count(*)
			into claimable, others, read from judged;
			exit when cardinality(claimable) >= wanted or read < looked;
		end loop;
		next := coalesce(claimable[1:wanted], '{}');
		next := next || others[1:room - cardinality(next)];
	end if;
	if idle > 0 and cardinality(next) > room then
		with candidate as (
			select j.priority, j.order_at, j.id, row_number() over (order by n.place) as place
			from unnest(next[room + 1:]) with ordinality n (id, place) cross join lateral (
				select j.id, j.priority, j.order_at from job j where j.id = n.id offset 0) j),
		held as materialized (
			select j.ctid as tid, j.id, j.priority, j.order_at, j.queue, j.type from job j
			where j.limit_key = admit.limit_key and j.indexed_state = 'queued'
				and case when j.worker_id is null then true else false end and not (rule.ordered and j.lease > 0)),
		admitted as (
			select h.*, k.claimable or rule.ordered as claimable, row_number() over (
				order by k.claimable or rule.ordered, h.priority, h.order_at desc, h.id desc) as place
			from job_kinds(array(select queue from held), array(select type from held)) k
			join held h on h.queue = k.queue and h.type = k.type)
		select array_agg(a.tid) into back
		from admitted a join candidate c on c.place = a.place
		where not a.claimable or (-c.priority::integer, c.order_at, c.id) < (-a.priority::integer, a.order_at, a.id);
		back := array(select j.ctid from job j where j.ctid = any (back) and j.state = 'queued' for no key update skip locked);
	end if;
	if cardinality(next) > 0 and room + cardinality(back) > 0 then
		-- of an ordered key nobody overtakes one whose row is locked: there is only one
		tids := array(select j.ctid from job j where j.id = any (next) and j.state = 'blocked' and j.awaits_key
			order by j.priority desc, j.order_at, j.id limit room + cardinality(back) for no key update skip locked);
		back := back[1:cardinality(tids) - room];
		update job j set state = 'blocked', awaits_key = true where j.ctid = any (back);
		return query
			with admitted as (
				update job j set state = 'queued', awaits_key = null where j.ctid = any (tids)
				returning j.queue)
			select distinct queue from admitted;
		bucket.tokens := bucket.tokens - (cardinality(tids) - cardinality(back)); -- who gives his place gives his token
	end if;
	if now is not null then
		-- more of them at once, if only the burst has stopped it
		if (bucket.tokens < 1 or cardinality(tids) - cardinality(back) = rule.burst) and exists (
			select from job j where j.limit_key = admit.limit_key and j.indexed_state = 'blocked' and j.awaits_key)
		then
			next_at := next_token(rule, bucket.tokens, now);
		end if;
		update job_key k set tokens = bucket.tokens, tokens_at = now, next_at = admit_next.at
		from (select next_at as at) admit_next where k.limit_key = admit.limit_key;
	elsif bucket.next_at is not null then
		update job_key k set next_at = null where k.limit_key = admit.limit_key;
	end if;
end
$function$;

-- The same for many keys, always in one order.
create function admit_all(keys text[]) returns setof text
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	each text;
begin
	for each in select distinct k from unnest(keys) k order by k loop
		return query select admit(each);
	end loop;
end
$function$;

-- Moves jobs with a limit key that are due to where they wait to be let in, and lets in whom it can. One at a time in the
-- cluster: else those that became due first would not come first.
create function admit_due(most integer, everything boolean, out moved integer, out queues text[])
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	keys text[];
	firsts bigint[];
	at timestamptz;
	mark timestamptz;
	last timestamptz;
begin
	-- one that is ahead of the clock was written before that went back
	select case when everything or t.mark > clock_timestamp() then '-infinity' else coalesce(t.mark, '-infinity') end into mark
	from maintenance_task t where t.name = 'admit' for update;
	at := clock_timestamp(); -- a constant to the statements, so that they read no further than that
	with due as materialized (
		select j.ctid as tid, j.run_at from job j
		where j.indexed_state = 'scheduled' and j.limit_key is not null and j.run_at >= mark and j.run_at <= at
		order by j.run_at, j.id limit most for no key update skip locked),
	arrived as (
		update job j set state = 'blocked', awaits_key = true where j.ctid = any (array(select tid from due))
		returning j.id, j.limit_key, j.lease),
	key as (
		select limit_key, min(id) filter (where lease > 0) as first, count(*) as jobs from arrived group by limit_key)
	select array_agg(limit_key order by limit_key), array_agg(first order by limit_key), coalesce(sum(jobs), 0),
		(select max(run_at) from due)
	into keys, firsts, moved, last
	from key;
	if moved > 0 or not everything and mark < at - interval '2 minutes' then
		-- the dead entries before it need not be read again; who enqueues may take some seconds to commit
		update maintenance_task t set mark = least(at - case when moved > 0 then interval '10 seconds' else interval '1 minute' end,
			case when moved = most then last end)
		where t.name = 'admit';
	end if;
	-- and those whose token has come
	select keys || array_agg(k.limit_key) into keys
	from (select limit_key from job_key where next_at <= at order by next_at limit most) k;
	queues := array(
		select distinct q from (
			select each.key, min(each.first) as first from unnest(keys, firsts) as each (key, first)
			group by each.key order by each.key) each
		cross join lateral admit(each.key, each.first) q);
end
$function$;

-- Looks at keys after a certain one, in order, and lets jobs in where nobody has when a place became free: the one who
-- should have died. And where one that was let in and is not claimed has the place of another: it cannot be claimed any
-- more, or another has become more urgent. Returns the last of the keys; null: there are no more.
create function admit_forgotten(after text, most integer, out last text, out queues text[])
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
		where waiting.number < most),
	admitted as materialized (
		select w.limit_key, j.* from waiting w cross join lateral (
			select j.queue, j.type, j.priority, j.worker_id is null as idle from job j
			where j.limit_key = w.limit_key and j.indexed_state in ('queued', 'running') offset 0) j),
	holder as materialized (
		select a.limit_key, count(*) as jobs, min(a.priority) filter (where a.idle) as lowest,
			bool_or(a.idle and not k.claimable) as stuck
		from job_kinds(array(select queue from admitted), array(select type from admitted)) k
		join admitted a on a.queue = k.queue and a.type = k.type group by a.limit_key)
	select case when count(*) = most then max(w.limit_key) end, array_agg(w.limit_key) filter (where
		case when l.kind is null then h.jobs is null
			else l.concurrency is null or l.concurrency > coalesce(h.jobs, 0) end
		or h.stuck and not coalesce(l.ordered, false) and exists (
			select from (
				select array_agg(j.queue) as queues, array_agg(j.type) as types from (
					select j.queue, j.type from job j
					where j.limit_key = w.limit_key and j.indexed_state = 'blocked' and j.awaits_key
					order by j.priority desc, j.order_at, j.id limit 1000) j) next
			cross join lateral job_kinds(next.queues, next.types) k where k.claimable)
		or h.lowest < (select j.priority from job j
			where j.limit_key = w.limit_key and j.indexed_state = 'blocked' and j.awaits_key
			order by j.priority desc, j.order_at, j.id limit 1))
	into last, keys
	from waiting w left join holder h on h.limit_key = w.limit_key
	left join job_limit l on l.kind = 'key' and l.name = split_part(w.limit_key, ':', 1);
	queues := array(select distinct q from admit_all(keys) q);
end
$function$;

-- How full each limit is. A limit of keys is as full as the fullest of them.
create view limits as
	select l.kind, l.name, l.concurrency, l.rate, l.rate_period, l.burst, l.ordered, l.source, l.changed_at,
		case l.kind when 'key' then null else (
			select count(*) from job_slot s join job j on j.id = s.job_id and j.lease = s.lease and j.worker_id is not null
			where s.kind = l.kind and s.name = l.name) end as held,
		case when l.kind <> 'key' and l.rate is not null
			then floor(tokens_now(l, l.tokens, l.tokens_at, clock_timestamp()))::integer end as tokens
	from job_limit l;

comment on table job_limit is 'How many jobs of a queue, a type or a key run at once or begin in a time';
comment on table job_slot is 'Leases that count for a limit';
comment on table job_key is 'Limit keys in use';
comment on view limits is 'Limits and how full they are';

call look_nowhere_else('tokens_at_hand', 'claim_limited', 'job_kinds', 'admit', 'admit_all', 'admit_due', 'admit_forgotten');

insert into schema_version (version) values (4);
