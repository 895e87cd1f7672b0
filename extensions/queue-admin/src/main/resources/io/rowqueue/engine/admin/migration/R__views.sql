-- Views for psql and BI tools, as those of the core: docs/views.md.

create or replace view jobs_by_state as
	select j.queue, case when j.worker_id is not null and (w.id is null or w.dead_at is not null) then 'stuck'
			else j.state::text end as state, count(*) as jobs, min(j.run_at) as oldest_run_at
	from job j left join worker w on w.id = j.worker_id group by 1, 2;
comment on view jobs_by_state is 'The number of jobs that wait, run or have failed, by queue and state';

create or replace view running_jobs as
	select j.id, j.queue, j.type, j.priority, j.attempt, j.state::text as state, j.leased_at,
		clock_timestamp() - j.leased_at as held_for, j.worker_id, w.name as worker,
		greatest(clock_timestamp() - w.heartbeat_at - w.idle_interval, '0') as heartbeat_age, j.cancel_requested, p.done, p.total, p.message
	from leased_jobs j join worker w on w.id = j.worker_id left join job_progress p on p.job_id = j.id and p.lease = j.lease
	where w.dead_at is null;
comment on view running_jobs is 'Jobs that live workers hold';

create or replace view stuck_jobs as
	select j.id, j.queue, j.type, j.attempt, j.leased_at, clock_timestamp() - j.leased_at as held_for, j.worker_id,
		w.name as worker, w.dead_at as worker_dead_at
	from leased_jobs j left join worker w on w.id = j.worker_id
	where w.id is null or w.dead_at is not null;
comment on view stuck_jobs is 'Jobs that dead workers hold';

create or replace view recent_failures as
	select f.job_id, coalesce(j.queue, d.queue) as queue, coalesce(j.type, d.type) as type,
		coalesce(j.state, d.state)::text as state, f.attempt, f.failed_at, f.worker_id,
		left(regexp_replace(split_part(f.error, E'\n', 1), '[[:cntrl:]]', ' ', 'g'), 300) as error
	from job_failure f left join job j on j.id = f.job_id
		left join lateral (select queue, type, state from job_finished where id = f.job_id and j.id is null limit 1) d on true
	where f.failed_at > statement_timestamp() - interval '1 day';
comment on view recent_failures is 'Attempts that failed within the last day';

create or replace view workers as
	select w.id, w.name, w.dead_at is null and w.heartbeat_at + w.idle_interval > clock_timestamp() - interval '15 seconds' as alive,
		w.started_at, greatest(clock_timestamp() - w.heartbeat_at - w.idle_interval, '0') as heartbeat_age, w.dead_at, w.queues, w.types,
		(select coalesce(sum(slots.value::integer), 0) from jsonb_each_text(w.slots) slots)::integer as slots,
		(select count(*) from leased_jobs j where j.worker_id = w.id)::integer as held, w.quiet, w.lease
	from worker w;
comment on view workers is 'Worker processes, what they can run and how many jobs they hold';

create or replace view waiting_jobs as
	select j.id, j.queue, j.type, w.kind as waits_for, w.name, w.began_at, w.until
	from job j join job_wait w on w.job_id = j.id and w.lease = j.lease
	where j.indexed_state = 'scheduled';
comment on view waiting_jobs is 'Jobs whose handlers wait for a signal, a time or other jobs';

create or replace view job_logs as
	select l.job_id, l.attempt, l.lease, line.at, line.level, line.text
	from job_log l cross join lateral json_to_recordset(l.lines) as line (at timestamptz, level text, text text);
comment on view job_logs is 'The lines that handlers have logged for their jobs';

create or replace view throughput_by_minute as
	select date_trunc('minute', finished_at) as minute, queue, type, count(*) filter (where state = 'succeeded') as succeeded,
		count(*) filter (where state = 'cancelled') as cancelled,
		avg(finished_at - leased_at) filter (where state = 'succeeded') as average_time
	from job_finished where finished_at > statement_timestamp() - interval '1 hour' group by 1, 2, 3;
comment on view throughput_by_minute is 'Jobs that ended within the last hour';
