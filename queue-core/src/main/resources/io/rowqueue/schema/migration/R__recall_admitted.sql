-- Has admitted jobs of a key wait again that no worker has claimed, the least urgent ones first, because the limit of the key was
-- lowered. too_many: how many units to recall. Returns how many were recalled, and their tokens, which the caller counts. The caller
-- has locked the key.
create or replace function recall_admitted(key text, too_many integer, rule job_limit, out places integer, out tokens integer)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	holder record;
begin
	places := 0;
	tokens := 0;
	for holder in
		select h.* from (
			select j.id, 1 as units, j.limit_key, j.priority, j.order_at, j.lease, j.leased_at from job j
			where j.limit_key = key and j.indexed_state = 'queued' and case when j.worker_id is null then true else false end
			union all
			select j.id, p.units, j.limit_key, j.priority, j.order_at, j.lease, j.leased_at
			from limit_permit p cross join lateral (select * from job j where j.id = p.job_id offset 0) j
			where p.member = key and j.limit_key = p.limit_key and j.indexed_state = 'queued' and j.worker_id is null) h
		where not (rule.ordered and keeps_place(h.lease, h.leased_at))
		order by h.priority, h.order_at desc, h.id desc
	loop
		exit when places >= too_many;
		update job j set state = 'blocked', awaits_key = true where j.ctid = any (array(
			select w.ctid from job w where w.id = holder.id and w.state = 'queued' for no key update skip locked));
		if found then
			places := places + least(holder.units, rule.concurrency);
			tokens := tokens + least(holder.units, rule.burst);
			perform yield_permit(holder.limit_key, key);
		end if;
	end loop;
end
$function$;
call pin_search_path('recall_admitted');
