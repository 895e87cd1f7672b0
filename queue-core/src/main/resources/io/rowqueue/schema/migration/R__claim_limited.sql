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
	limits text[];                   -- the limits that apply to these lanes
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
		where (l.kind = 'queue' and l.name = any (queues)) or (l.kind = 'type' and l.name = any (types)));
	tokens_until := clock_timestamp();
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
			if rule.counted_at is null or rule.counted_at <= rule.changed_at + interval '1 minute' then
				-- jobs that were claimed before the limit was known: a worker sweeps at least every half minute. They are counted until the
				-- first claim after this time, however much later it is
				insert into job_slot (kind, name, job_id, lease)
				select rule.kind, rule.name, j.id, j.lease from leased_jobs j
				where case rule.kind when 'queue' then j.queue else j.type end = rule.name
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
		if ('queue ' || queues[i] = any (limits) and not room ? ('queue ' || queues[i]))
			or ('type ' || types[i] = any (limits) and not room ? ('type ' || types[i]))
		then
			again := least(again, clock_timestamp() + interval '5 milliseconds');
			continue;
		end if;
		jobs := least(max_jobs[i], (pool_room ->> lane_pools[i])::integer, (room ->> ('queue ' || queues[i]))::integer,
			(room ->> ('type ' || types[i]))::integer);
		continue when jobs <= 0 or exists (
			select from pause p where (p.kind, p.name) in (('queue', queues[i]), ('type', types[i])) and is_closed(p));
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
				select l.kind, l.name, c.id, c.lease
				from claimed c cross join (values ('queue', queues[i]), ('type', types[i])) l (kind, name)
				where l.kind || ' ' || l.name = any (counting)
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
call pin_search_path('claim_limited');
