-- Admits jobs of a key of which a combination is a part: plain jobs of the key and jobs of its combinations, in the same order
-- as admit. The caller has locked the key, and no statement here waits for a lock: the other keys of a combination are locked
-- only if they are free. Returns the queues of admitted jobs.
--
-- A job is admitted if all its keys have room. If only this key lacks room, no later job is admitted before it, so that a job with
-- many units is not delayed by those with few. A job that waits for another key lets others go first; once it is 10 seconds past its
-- deadline, the first such job of the key keeps its units of it free (limit_turn).
create or replace function admit_combined(key text) returns setof text
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	rule job_limit;
	places integer;
	left_tokens double precision;
	held_until timestamptz;
	held text[];                     -- the keys that are held: jobs that also have one of them are not considered
	now timestamptz;
	candidate record;
	part record;
	other record;
	holder record;
	fits boolean;                    -- whether the other keys of the candidate have room
	tried bigint[] = '{}';           -- unclaimed jobs that were asked for their units
	admitted integer = 0;
	busy boolean = false;            -- whether another transaction has locked a key that a candidate needs
	stopped boolean = false;         -- whether a job waits for this key only: no later one is admitted
	turn bigint;                     -- the job for which units of this key remain free
	turn_units integer;
	kept integer = 0;                -- units of this key that remain free for a job that waits for another key
	again_at timestamptz;
begin
	select p.open_from into held_until from pause p
	where p.kind = 'key' and p.name = key and is_closed(p) order by p.open_from desc limit 1;
	if found then
		update job_key k set next_at = held_until where k.limit_key = key;
		return;
	end if;
	held := array(select p.name from pause p where p.kind = 'key' and is_closed(p));
	delete from limit_permit p where p.member = key and not exists (
		select from job j where j.id = p.job_id and j.limit_key = p.limit_key and j.indexed_state in ('queued', 'running'));
	select * into other from limit_room(key);
	now := clock_timestamp();
	places := other.places;
	left_tokens := other.tokens;
	rule := other.rule;
	if places < 0 then -- the limit was lowered
		select * into other from recall_admitted(key, -places, rule);
		places := places + other.places;
		left_tokens := left_tokens + other.tokens;
	end if;
	if rule.ordered and exists (select from job j
			where j.limit_key = key and j.indexed_state = 'scheduled' and keeps_place(j.lease, j.leased_at))
	then
		update job_key k set next_at = null where k.limit_key = key and k.next_at is not null;
		return; -- this job failed or was postponed, and keeps its place
	end if;

	for candidate in
		with line as materialized (
			select key as limit_key, 1 as units
			union all
			select m.limit_key, m.units from limit_member m
			where m.member = key and (held = '{}' or not exists (
				select from limit_member o where o.limit_key = m.limit_key and o.member = any (held)))),
		waiting as materialized (
			select j.*, l.units from line l cross join lateral (
				select j.id, j.limit_key, j.queue, j.type, j.priority, j.order_at, j.lease, j.leased_at from job j
				where j.limit_key = l.limit_key and j.indexed_state = 'blocked' and j.awaits_key
				order by j.priority desc, j.order_at, j.id
				limit case when (select count(*) from line) > 50 then 2 else 100 end) j
			order by j.priority desc, j.order_at, j.id limit 1000),
		judged as (
			select w.*, k.closed, k.claimable or rule.ordered as claimable, bool_or(k.claimable) over () as any_claimable
			from check_claimable(array(select queue from waiting), array(select type from waiting)) k
			join waiting w on w.queue = k.queue and w.type = k.type)
		select * from judged
		-- jobs that no worker can claim get places only if no other job waits
		where claimable or not any_claimable and not (closed and rule.rate is not null)
		order by rule.ordered and keeps_place(lease, leased_at) desc, priority desc, order_at, id
	loop
		fits := true;
		-- not from limit_member, whose rows may be deleted meanwhile
		for part in select m.member, m.units from limit_members(candidate.limit_key) m where m.member <> key loop
			perform from job_key k where k.limit_key = part.member for update skip locked;
			if not found then
				-- a row that is missing comes back with the next job of that key or with admit_forgotten
				busy := busy or exists (select from job_key k where k.limit_key = part.member);
				fits := false;
				exit;
			end if;
			select * into other from limit_room(part.member);
			select other.places - coalesce(sum(t.units), 0), other.tokens - coalesce(sum(t.units), 0) into other.places, other.tokens
			from limit_turn t join job j on j.id = t.job_id
			where t.member = part.member and j.state = 'blocked'
				and (-j.priority::integer, j.order_at, j.id) < (-candidate.priority::integer, candidate.order_at, candidate.id);
			if not has_room(part.units, other.places, other.tokens, other.rule) then
				fits := false;
				if other.tokens is not null then
					update job_key k
					set next_at = least(k.next_at, next_token(other.rule, other.tokens - (least(part.units, (other.rule).burst) - 1), now))
					where k.limit_key = part.member;
				end if;
				exit;
			end if;
		end loop;

		-- unclaimed jobs yield their places to more urgent ones, and to any other that a worker can claim
		while not has_room(candidate.units, places - kept, left_tokens - kept, rule) and (fits or candidate.claimable and not rule.ordered) loop
			select h.* into holder
			from (
				select j.id, 1 as units, j.limit_key, j.queue, j.type, j.priority, j.order_at, j.lease, j.leased_at from job j
				where j.limit_key = key and j.indexed_state = 'queued' and case when j.worker_id is null then true else false end
				union all
				select j.id, p.units, j.limit_key, j.queue, j.type, j.priority, j.order_at, j.lease, j.leased_at
				from limit_permit p cross join lateral (select * from job j where j.id = p.job_id offset 0) j
				where p.member = key and j.limit_key = p.limit_key and j.indexed_state = 'queued' and j.worker_id is null) h
			cross join lateral check_claimable(array[h.queue], array[h.type]) k
			where h.id <> all (tried) and not (rule.ordered and keeps_place(h.lease, h.leased_at)) and (
				candidate.claimable and not k.claimable and not rule.ordered
				or fits and (-h.priority::integer, h.order_at, h.id)
					> (-candidate.priority::integer, candidate.order_at, candidate.id))
			order by k.claimable, h.priority, h.order_at desc, h.id desc limit 1;
			exit when not found;
			tried := tried || holder.id;
			update job j set state = 'blocked', awaits_key = true where j.ctid = any (array(
				select w.ctid from job w where w.id = holder.id and w.state = 'queued' for no key update skip locked));
			if found then
				places := places + least(holder.units, rule.concurrency);
				left_tokens := left_tokens + least(holder.units, rule.burst);
				perform yield_permit(holder.limit_key, key);
			end if;
		end loop;

		if fits and has_room(candidate.units, places - kept, left_tokens - kept, rule) then
			update job j set state = 'queued', awaits_key = null where j.ctid = any (array(
				select w.ctid from job w where w.id = candidate.id and w.state = 'blocked' and w.awaits_key
				for no key update skip locked));
			if found then
				if candidate.limit_key <> key then
					perform permit(candidate.id, candidate.limit_key, key);
				end if;
				places := places - least(candidate.units, rule.concurrency);
				left_tokens := left_tokens - least(candidate.units, rule.burst);
				admitted := admitted + 1;
				return next candidate.queue;
			elsif rule.ordered then
				exit; -- no job overtakes one whose row is locked
			end if;
		elsif fits or rule.ordered then
			turn_units := coalesce(turn_units, candidate.units);
			turn := coalesce(turn, candidate.id);
			stopped := true;
			exit;
		elsif turn is null and candidate.claimable and candidate.order_at < now - interval '10 seconds' then
			turn := candidate.id;
			turn_units := candidate.units;
			kept := candidate.units;
		end if;
		exit when admitted = 1000;
	end loop;

	if turn is null then
		delete from limit_turn t where t.member = key;
	else
		insert into limit_turn as t (member, job_id, units) values (key, turn, turn_units)
		on conflict (member) do update set job_id = excluded.job_id, units = excluded.units
		where (t.job_id, t.units) <> (excluded.job_id, excluded.units);
	end if;
	again_at := case
		when admitted > 0 and not stopped and has_room(1, places - kept, left_tokens - kept, rule) then now -- there may be more than was read
		when busy then clock_timestamp() + interval '5 milliseconds'
		when rule.rate is not null and turn is not null and left_tokens < least(turn_units, rule.burst)
			then next_token(rule, left_tokens - (least(turn_units, rule.burst) - 1), now)
	end;
	update job_key k
	set tokens = coalesce(left_tokens, k.tokens), tokens_at = case when left_tokens is null then k.tokens_at else now end,
		next_at = again_at
	where k.limit_key = key;
end
$function$;
call pin_search_path('admit_combined');
