-- Holds a queue, a type or a limit key for some time, or until a time: no worker claims its jobs. A longer hold stays. Admitted jobs
-- of a key that are not claimed wait again; the key is admitted when the hold ends.
create or replace function hold(kind text, name text, until timestamptz, reason text) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
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
		update job j set state = 'blocked', awaits_key = true
		where j.ctid = any (array(
			select q.ctid from job q
			where q.limit_key = hold.name and q.indexed_state = 'queued' and q.worker_id is null
			order by q.id for no key update skip locked));
		update job j set state = 'blocked', awaits_key = true
		where j.ctid = any (array(
			select q.ctid from limit_permit p join job q on q.id = p.job_id and q.limit_key = p.limit_key
			where p.member = hold.name and q.indexed_state = 'queued' and q.worker_id is null
			order by q.id for no key update of q skip locked));
	end if;
end
$function$;
call pin_search_path('hold');
