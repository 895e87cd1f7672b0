-- Calls admit for many keys, always in the same order; if some of them are parts of combinations, admit_combined for those.
-- firsts: for each key, the job that must be admitted next if the key is ordered.
create or replace function admit_all(keys text[], firsts bigint[] default null) returns setof text
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	each record;
	combined text[] = '{}';          -- the keys that are parts of combinations
begin
	if exists (select from limit_member m where m.member = any (keys))
		or exists (select from unnest(keys) u (key) where starts_with(u.key, 'all:'))
	then
		insert into limit_member (limit_key, member, units)
		select c.key, m.member, m.units
		from (select distinct u.key from unnest(keys) u (key) where starts_with(u.key, 'all:')) c
		cross join lateral limit_members(c.key) m order by m.member, c.key
		on conflict do nothing;
		-- lock all keys before the first job is admitted: from then on, nothing waits for a lock
		for each in
			select distinct m.member as key from unnest(keys) u (key) cross join lateral limit_members(u.key) m order by m.member
		loop
			loop
				perform from job_key k where k.limit_key = each.key for update;
				exit when found;
				insert into job_key (limit_key) values (each.key) on conflict (limit_key) do nothing;
			end loop;
		end loop;
		combined := array(
			select distinct m.member from unnest(keys) u (key) cross join lateral limit_members(u.key) m
			where exists (select from limit_member l where l.member = m.member) order by m.member);
		for each in select c.key from unnest(combined) c (key) loop
			return query select admit_combined(each.key);
		end loop;
	end if;
	for each in
		select u.key, min(u.first) as first from unnest(keys, firsts) u (key, first)
		where u.key <> all (combined) and not starts_with(u.key, 'all:') group by u.key order by u.key
	loop
		return query select admit(each.key, each.first);
	end loop;
end
$function$;
call pin_search_path('admit_all');
