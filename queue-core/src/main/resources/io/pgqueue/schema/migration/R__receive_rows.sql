-- Stores rows that have left another shard. Jobs with limit keys are admitted here. A job whose unique key was taken here by an
-- enqueue in a transaction of this database becomes the last follow-up of the job that has the key.
create or replace function receive_rows(relation text, content json) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_variable
declare
	columns text;
	stored text;
begin
	if relation = 'keyed_job' then
		perform receive_keyed_jobs(content);
		return;
	end if;
	if relation not in ('job', 'job_follow_up', 'taken_key', 'job_key', 'job_failure', 'job_step', 'job_progress', 'job_tag',
		'job_expiry', 'job_on_failure', 'job_signal', 'job_wait', 'job_log', 'cancel_request') then
		raise invalid_parameter_value using message = format('rows of %I are not handed over', relation);
	end if;
	if relation in ('job', 'job_follow_up') then
		content := renumber_rows(renumber_jobs(content), 'follows');
	else
		content := renumber_rows(content, 'job_id');
	end if;
	select string_agg(format('%I', a.attname), ', ' order by a.attnum),
		string_agg(format(case when a.atttypid = 'json'::regtype then 'unescape_nul(%I)' else '%I' end, a.attname), ', '
			order by a.attnum)
	into columns, stored
	from pg_attribute a
	where a.attrelid = relation::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity <> 'a';
	execute format('insert into %1$I (%2$s) select %3$s from json_populate_recordset(null::%1$I, $1) on conflict do nothing',
		relation, columns, stored) using content;
	if relation = 'taken_key' then -- of two rows of a key, the one that keeps it longer
		update taken_key t set job_id = r.job_id, taken_until = r.taken_until, unsuccessful_id = r.unsuccessful_id,
			limit_key = r.limit_key
		from json_populate_recordset(null::taken_key, content) r
		where t.unique_key = r.unique_key and t.taken_until < r.taken_until;
	elsif relation = 'job' then
		insert into job_follow_up (id, unique_key, follows, run_at, created_at, priority, max_attempts, tolerance, unique_for,
			queue, type, limit_key, payload, headers, enqueued_by)
		select r.id, r.unique_key,
			coalesce((select max(f.id) from job_follow_up f where f.unique_key = r.unique_key), j.id), r.run_at, r.created_at, r.priority, r.max_attempts, r.tolerance, r.unique_for,
			r.queue, r.type, r.limit_key, unescape_nul(r.payload), unescape_nul(r.headers), r.enqueued_by
		from json_populate_recordset(null::job, content) r
			join job j on j.unique_key = r.unique_key and j.indexed_state <> 'failed' and j.id <> r.id
		where not exists (select from job k where k.id = r.id);
		update job j set state = 'scheduled', awaits_key = null
		from json_populate_recordset(null::job, content) r
		where j.id = r.id and j.limit_key is not null and j.state in ('queued', 'blocked');
		perform wake_up(r.queue, bool_or(r.limit_key is not null))
		from json_populate_recordset(null::job, content) r
		group by r.queue;
	end if;
end
$function$;
call pin_search_path('receive_rows');
