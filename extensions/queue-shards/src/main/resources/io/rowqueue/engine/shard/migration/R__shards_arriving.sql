-- Begins to store what has left another shard, and makes this shard the owner of the buckets. Returns false if it has arrived
-- before. The rows follow in the same transaction. The buckets are locked as enqueues lock them, so that a transaction that has
-- referred to a job of such a key in this database does not delay it; only the one that moves them from here does. The commit is
-- durable, whatever the default of the session: the other shard forgets what has arrived.
create or replace function receive_handover(source smallint, batch bigint, buckets smallint[]) returns boolean
	language plpgsql set lock_timeout = '2s' as $function$
#variable_conflict use_variable
declare
	each smallint;
begin
	insert into shard_received as r (source, batch) values (source, batch) on conflict do nothing;
	if not found then
		return false;
	end if;
	if current_setting('synchronous_commit') = 'off' then
		perform set_config('synchronous_commit', 'on', true);
	end if;
	foreach each in array array(select unnest(buckets) order by 1) loop
		perform lock_bucket(each, false);
	end loop;
	if exists (select from shard_bucket s where s.bucket = any (buckets) and s.state = 'leaving') then
		raise serialization_failure using message = 'a bucket is still leaving this shard', hint = 'Try again.';
	end if;
	insert into shard_bucket as s (bucket, state) select b, 'owned' from unnest(buckets) b
	on conflict (bucket) do update set state = 'owned', target = null, since = clock_timestamp();
	return true;
end
$function$;

-- Stores rows that have left another shard. Each row is stored by one statement, so that nothing that happens meanwhile loses one.
-- Jobs with limit keys are admitted here. A job whose unique key was taken here by an enqueue in a transaction of this database
-- becomes the last follow-up of the key, whatever becomes of the job that has it: maintenance releases it when the key is free. So
-- does one whose key is taken by a transaction that does not end soon: the jobs of other keys must not wait for that, nor the
-- transaction for this one, by a deadlock. A negative number of what it follows is that of no job.
create or replace function receive_rows(relation text, content json) returns void
	language plpgsql set enable_seqscan = off set jit = off set lock_timeout = '2s' as $function$
#variable_conflict use_variable
declare
	followed constant text = 'id, unique_key, run_at, created_at, priority, max_attempts, tolerance, unique_for, queue, type, limit_key,'
		|| ' limit_units, payload, headers, enqueued_by, attempt, deaths, leased_at, cancel_requested, last_error';
	columns text;
	arrived text;                    -- the rows as they are stored
	store text;
	each json;
begin
	if relation not in ('job', 'job_follow_up', 'taken_key', 'job_key') and relation not in (select t.name from job_table t) then
		raise invalid_parameter_value using message = format('rows of %I are not handed over', relation);
	end if;
	content := renumber(relation, content);
	select string_agg(format('%I', a.attname), ', ' order by a.attnum),
		format('select %s from json_populate_recordset(null::%I, $1)', string_agg(format(case
			when relation = 'job_follow_up' and a.attname = 'follows' then '-id as %I'
			when relation = 'job' and a.attname = 'state'
				then 'case when limit_key is not null and %1$I in (''queued'', ''blocked'') then ''scheduled'' else %1$I end as %1$I'
			when relation = 'job' and a.attname = 'awaits_key' then 'case when limit_key is null then %1$I end as %1$I'
			when a.atttypid = 'json'::regtype then 'unescape_nul(%1$I) as %1$I'
			-- the text of the whole row was escaped
			when a.atttypid = 'text'::regtype then 'replace(%1$I, chr(26) || ''1'', chr(26)) as %1$I'
			else '%I' end, a.attname), ', ' order by a.attnum), relation)
	into columns, arrived
	from pg_attribute a
	where a.attrelid = relation::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity <> 'a';

	if relation = 'taken_key' then -- of two rows of a kind, the one that keeps the key longer
		execute format('insert into taken_key as t (%s) %s on conflict (unique_key, from_enqueue) do update
			set job_id = excluded.job_id, taken_until = excluded.taken_until, unsuccessful_id = excluded.unsuccessful_id,
				limit_key = excluded.limit_key
			where t.taken_until < excluded.taken_until', columns, arrived) using content;
	elsif relation = 'job_follow_up' then
		execute format('insert into job_follow_up (%s) %s', columns, arrived) using content;
	elsif relation = 'job' then
		store := format('with arrived as materialized (%1$s),
			stored as (insert into job (%2$s) select %2$s from arrived where $2 on conflict do nothing returning id)
			insert into job_follow_up (%3$s, lease, follows) select %3$s, nullif(a.lease, 0), -a.id from arrived a
			where a.id not in (select id from stored)',
			arrived, columns, followed);
		begin
			perform set_config('lock_timeout', '200ms', true); -- less than deadlock_timeout
			execute store using content, true;
		exception when lock_not_available then
			perform set_config('lock_timeout', '10ms', true);
			for each in select e from json_array_elements(content) e loop
				begin
					execute store using json_build_array(each), true;
				exception when lock_not_available then
					execute store using json_build_array(each), false;
				end;
			end loop;
		end;
		perform wake_up(r.queue, bool_or(r.limit_key is not null))
		from json_populate_recordset(null::job, content) r
		group by r.queue;
	else
		execute format('insert into %I (%s) %s on conflict do nothing', relation, columns, arrived) using content;
	end if;
end
$function$;

-- Rows that have left another shard, with new numbers for jobs whose ids other jobs have here: databases that were queues of their
-- own have assigned the same ids before they became shards. The rows that belong to these jobs follow in the same transaction. The
-- texts of the rows stay as they are otherwise: the first column of the name is one that contains the id of a job.
create or replace function renumber(relation text, content json) returns json
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	name constant text = case when relation in ('job', 'job_follow_up') then 'id' when relation = 'job_key' then 'first_id'
		else 'job_id' end;
	numbers jsonb = nullif(current_setting('rowqueue.renumbered', true), '')::jsonb;
	more jsonb;
begin
	if name = 'id' then
		select jsonb_object_agg(r.id::text, nextval('job_id_seq')) into more
		from (select (e ->> 'id')::bigint as id from json_array_elements(content) e) r
		where exists (select from job j where j.id = r.id)
			or exists (select from job_follow_up f where f.id = r.id)
			or exists (select from job_finished h where h.id = r.id);
		if more is not null then
			numbers := coalesce(numbers, '{}'::jsonb) || more;
			perform set_config('rowqueue.renumbered', numbers::text, true);
		end if;
	end if;
	if numbers is null then
		return content;
	end if;
	return (
		select json_agg(case when numbers ? (e ->> name)
			then regexp_replace(e::text, format('"%s":\d+', name), format('"%s":%s', name, numbers ->> (e ->> name)))::json
			else e end order by place)
		from json_array_elements(content) with ordinality as rows (e, place));
end
$function$;

-- The JSON text that escape_nul has changed.
create or replace function unescape_nul(content json) returns json
	language sql immutable
	return case when strpos(content::text, '\u001a') = 0 then content
		else regexp_replace(regexp_replace(content::text, '(?<!\\)((?:\\\\)*)\\u001a0', '\1\\u0000', 'g'),
			'(?<!\\)((?:\\\\)*)\\u001a1', '\1\\u001a', 'g')::json end;

call pin_search_path('receive_handover', 'receive_rows', 'renumber');
