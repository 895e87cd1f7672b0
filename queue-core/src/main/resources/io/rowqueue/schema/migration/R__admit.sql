-- Moves jobs that wait for their limit key from blocked to queued, as many as the limit allows. Returns their queues.
-- first: for an ordered key, the job that must be admitted next whatever the order is. The row of the key keeps it, if it cannot be
-- admitted now because the key is held or has no token.
-- Order: jobs that a worker can claim, then higher priorities, then earlier deadlines. An admitted job
-- that has not been claimed yields its place to a job before it in this order. If the key is ordered, it yields only if it was
-- never claimed, and the order ignores whether a worker can claim it. The key is locked first; jobs locked by other transactions
-- are skipped. If the key is ordered, all jobs that are due count, also those that do not wait yet: however late one arrives, and
-- with whatever due time, no job is admitted before it that comes after it.
create or replace function admit(limit_key text, first bigint default null) returns setof text
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	rule job_limit;
	bucket job_key;
	room integer = 1000;             -- the number of jobs that the limit allows
	idle integer = 0;                -- the number of admitted jobs that are not claimed: they could yield their places
	wanted integer;
	looked integer;
	read integer;
	claimable bigint[];
	others bigint[];
	next bigint[];                   -- the jobs to admit, in this order, as far as there is room or a place is yielded
	back tid[] = '{}';               -- the jobs that yield their places
	tids tid[];
	recalled record;
	now timestamptz;
	due_at timestamptz;              -- of an ordered key
	next_at timestamptz;
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
	-- a limit of the key takes precedence over that of its class
	select * into rule from job_limit l
	where l.kind = 'key' and l.name in (admit.limit_key, split_part(admit.limit_key, ':', 1))
	order by length(l.name) desc limit 1;
	if not found then
		rule.concurrency := 1;
		rule.ordered := false;
	end if;
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
		select least(room, rule.concurrency - count(*)), count(*) filter (where j.worker_id is null) into room, idle from job j
		where j.limit_key = admit.limit_key and j.indexed_state in ('queued', 'running');
		if exists (select from limit_permit p where p.member = admit.limit_key) then
			room := room - permitted_units(admit.limit_key, rule.concurrency);
		end if;
		if room < 0 and idle > 0 then -- the limit was lowered
			select * into recalled from recall_admitted(admit.limit_key, -room, rule);
			room := room + recalled.places;
			idle := idle - recalled.places;
			bucket.tokens := bucket.tokens + recalled.tokens;
			update job_key k set tokens = bucket.tokens where k.limit_key = admit.limit_key and rule.rate is not null;
		end if;
	end if;
	if rule.ordered and exists (select from job j
			where j.limit_key = admit.limit_key and j.indexed_state = 'scheduled' and keeps_place(j.lease, j.leased_at))
	then
		update job_key k set next_at = null where k.limit_key = admit.limit_key and k.next_at is not null;
		return; -- this job failed or was postponed, and keeps its place; its arrival calls this function again
	end if;
	if room > 0 and rule.rate is not null then
		now := clock_timestamp();
		bucket.tokens := available_tokens(rule, bucket.tokens, bucket.tokens_at, now);
		room := least(room, floor(bucket.tokens), rule.burst);
	end if;
	room := greatest(room, 0);
	wanted := room + least(idle, 100);
	if wanted > 0 and rule.ordered then
		due_at := clock_timestamp();
		next := array(select coalesce(
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
				and case when j.worker_id is null then true else false end and not (rule.ordered and keeps_place(j.lease, j.leased_at))),
		admitted as (
			select h.*, k.claimable or rule.ordered as claimable, row_number() over (
				order by k.claimable or rule.ordered, h.priority, h.order_at desc, h.id desc) as place
			from check_claimable(array(select queue from held), array(select type from held)) k
			join held h on h.queue = k.queue and h.type = k.type)
		select array_agg(a.tid) into back
		from admitted a join candidate c on c.place = a.place
		where not a.claimable or (-c.priority::integer, c.order_at, c.id) < (-a.priority::integer, a.order_at, a.id);
		back := array(select j.ctid from job j where j.ctid = any (back) and j.state = 'queued' for no key update skip locked);
	end if;
	if cardinality(next) > 0 and room + cardinality(back) > 0 then
		-- no job of an ordered key overtakes one whose row is locked
		tids := array(select j.ctid from job j
			where j.id = any (next) and (j.state = 'blocked' and j.awaits_key or j.state = 'scheduled' and j.run_at <= due_at)
			order by j.priority desc, j.order_at, j.id limit room + cardinality(back) for no key update skip locked);
		back := back[1:cardinality(tids) - room];
		update job j set state = 'blocked', awaits_key = true where j.ctid = any (back);
		return query
			with admitted as (
				update job j set state = 'queued', awaits_key = null where j.ctid = any (tids)
				returning j.queue)
			select distinct queue from admitted;
		bucket.tokens := bucket.tokens - (cardinality(tids) - cardinality(back)); -- a job that yields its place also yields its token
	end if;
	if now is not null then
		-- admit again at once if only the burst was the limit
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
call pin_search_path('admit');
