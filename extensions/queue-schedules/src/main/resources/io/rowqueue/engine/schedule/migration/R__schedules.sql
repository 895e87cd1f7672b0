create or replace view schedules as
	select name, type, queue, cron, zone, every, missed, overlap, source,
		case when paused_at is not null then 'paused'
			when undeclared_at < clock_timestamp() - interval '1 minute' then 'disabled'
			when next_run_at is null then 'ended' else 'active' end as state,
		next_run_at, last_due_at, last_run_at, last_job_id, last_skipped_at, paused_at, pause_reason, undeclared_at,
		starts_at, ends_at, calendar, excluded
	from schedule;
comment on view schedules is 'Recurring jobs, their state, their last and next runs';

-- Enqueues a job of a schedule, which the caller has locked, and returns its id. Its headers lead to its tags, as those of any job do.
create or replace function enqueue_scheduled(name text, job_id bigint, due_text text, run_at timestamptz) returns bigint
	language plpgsql strict set enable_seqscan = off set jit = off as $function$
#variable_conflict use_variable
declare
	of schedule;
	expires_at timestamptz;
begin
	select * into of from schedule s where s.name = enqueue_scheduled.name;
	expires_at := clock_timestamp() + of.expires_in;
	insert into job (id, queue, type, priority, max_attempts, run_at, tolerance, limit_key, limit_units, headers, payload, order_at, state)
	values (job_id, of.queue, of.type, of.priority, of.max_attempts, run_at, of.tolerance, of.limit_key, of.limit_units,
		(coalesce(of.headers::jsonb, '{}') || jsonb_build_object('schedule', name, 'due-at', due_text)
			|| case when expires_at is null then '{}' else jsonb_build_object('expires-at',
				to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) end)::json,
		of.payload, deadline(run_at, of.tolerance), initial_state(run_at, of.limit_key));
	if expires_at is not null then
		insert into job_expiry (job_id, expires_at) values (job_id, expires_at);
	end if;
	if of.on_failure is not null then
		perform store_on_failure(array[job_id], array[of.on_failure]);
	end if;
	insert into job_tag (job_id, name, value)
	select job_id, '', t from string_to_array(of.headers ->> 'tags', E'\n') as tags cross join unnest(tags) as t
	union all
	select job_id, h.key, h.value from json_each_text(of.headers) h where h.key not in ('tags', 'fairness-key');
	return job_id;
end
$function$;

-- The due times of a schedule whose jobs do not overlap wait for a job that is retried, from now on; not for one that was enqueued
-- for a time that has passed. Of several jobs of a schedule, the first one is retried. Rejects the others, and all while another job of
-- the schedule has not ended.
create or replace function on_retry_schedules(ids bigint[]) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	names text[]; -- of the schedule of each job
	jobs bigint[];
	locked text[];
	retried bigint[];
begin
	select array_agg(s.name order by j.id), array_agg(j.id order by j.id) into names, jobs
	from job j join schedule s on s.name = j.headers ->> 'schedule'
	where j.id = any (ids) and j.state::text = 'failed' and s.overlap = 'skip' and not exists (
		select from schedule_run r where r.name = s.name and r.job_id = j.id and r.origin = 'backfill');
	if jobs is null then
		return;
	end if;
	locked := array(select l.name from schedule l where l.name = any (names) order by l.name for no key update skip locked);
	with updated as (
		update schedule s set last_job_id = f.id, revision = s.revision + 1
		from (select n.name, min(n.id) as id from unnest(names, jobs) as n (name, id) group by n.name) f
		where s.name = f.name and s.name = any (locked)
			and not exists (select from job o where o.id = s.last_job_id and o.id <> f.id and o.state::text <> 'failed')
		returning f.id)
	select array_agg(u.id) into retried from updated u;
	if cardinality(retried) is distinct from cardinality(jobs) then
		raise exception using errcode = 'PQ001', message = 'another job of the schedule has not ended',
			detail = array(select i from unnest(jobs) as i where i <> all (coalesce(retried, '{}')));
	end if;
end
$function$;

create or replace function figures_schedules() returns table (name text, queue text, state text, value double precision, text text)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	return query
		select 'schedules', null, s.state, count(*)::double precision, null from schedules s group by s.state
		union all
		(select 'schedule.late', null, null, extract(epoch from clock_timestamp() - s.next_run_at)::double precision, s.name
		from schedules s where s.state = 'active' and s.next_run_at < clock_timestamp() order by s.next_run_at limit 1);
end
$function$;

call pin_search_path('enqueue_scheduled', 'on_retry_schedules', 'figures_schedules');
