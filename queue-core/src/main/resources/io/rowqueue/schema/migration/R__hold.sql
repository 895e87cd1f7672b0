-- Holds a queue, a type or a limit key for some time, or until a time: no worker claims its jobs. A longer hold stays. Admitted jobs
-- of a key that are not claimed wait again, and return their tokens; the key is admitted when the hold ends, and other keys of these
-- jobs at once.
create or replace function hold(kind text, name text, until timestamptz, reason text) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	yielded record;
	rule job_limit;
	units integer = 0;               -- of the key, that admitted jobs return
begin
	if hold.kind = 'key' and starts_with(hold.name, 'all:') then
		perform hold('key', m.member, hold.until, hold.reason) from limit_members(hold.name) m order by m.member;
		return;
	end if;
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
		for yielded in
			with plain as (
				update job j set state = 'blocked', awaits_key = true
				where j.ctid = any (array(
					select q.ctid from job q
					where q.limit_key = hold.name and q.indexed_state = 'queued' and q.worker_id is null
					order by q.id for no key update skip locked))
				returning j.id, j.limit_key, j.lease, j.leased_at),
			combined as (
				update job j set state = 'blocked', awaits_key = true
				where j.ctid = any (array(
					select q.ctid from limit_permit p join job q on q.id = p.job_id and q.limit_key = p.limit_key
					where p.member = hold.name and q.indexed_state = 'queued' and q.worker_id is null
					order by q.id for no key update of q skip locked))
				returning j.id, j.limit_key, j.lease, j.leased_at)
			select * from plain union all select * from combined
		loop
			units := units + (select least(m.units, rule.burst) from limit_members(yielded.limit_key) m where m.member = hold.name);
			perform yield_permit(yielded.limit_key, hold.name);
			if rule.ordered and keeps_place(yielded.lease, yielded.leased_at) then
				update job_key k set first_id = yielded.id where k.limit_key = hold.name; -- it keeps its place
			end if;
		end loop;
		if rule.rate is not null and units > 0 then
			update job_key k set tokens = k.tokens + units where k.limit_key = hold.name;
		end if;
	end if;
end
$function$;
call pin_search_path('hold');
