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
			update job j set state = 'blocked', awaits_key = true
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
call pin_search_path('hold');
