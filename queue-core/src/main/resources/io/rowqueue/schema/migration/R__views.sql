-- Views for psql and BI tools: docs/views.md. Their columns are a contract; none of them shows a payload, so that a
-- role that may read only the views sees none. The views of schedules and windows are in their files.

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
comment on view waiting_jobs is 'Jobs whose handlers wait for a signal or a time';

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

create or replace view batches as
	select b.id, b.name, case when b.finished_at is not null then 'finished' when b.closed_at is null then 'open'
			else 'running' end as state, b.created_at, b.closed_at, b.finished_at, b.total + d.total as total,
		b.total + d.total - b.succeeded - d.succeeded - b.failed - d.failed - b.cancelled - d.cancelled as pending,
		b.succeeded + d.succeeded as succeeded, b.failed + d.failed as failed, b.cancelled + d.cancelled as cancelled
	from batch b cross join lateral (
		select coalesce(sum(d.total), 0) as total, coalesce(sum(d.succeeded), 0) as succeeded,
			coalesce(sum(d.failed), 0) as failed, coalesce(sum(d.cancelled), 0) as cancelled
		from batch_delta d where d.batch_id = b.id) d;
comment on view batches is 'The progress of batches';

create or replace view flows as
	select f.id, f.name, case when s.failed > 0 then 'failed' when s.open > 0 then 'running'
			when s.cancelled > 0 then 'cancelled' else 'succeeded' end as state, f.created_at, s.ended_at, s.jobs, s.open,
		s.succeeded, s.failed, s.cancelled
	from flow f cross join lateral (
		select count(*) as jobs, count(*) filter (where m.state is null) as open,
			count(*) filter (where m.state = 'succeeded') as succeeded, count(*) filter (where m.state = 'failed') as failed,
			count(*) filter (where m.state = 'cancelled') as cancelled,
			case when count(*) = count(m.state) then max(m.ended_at) end as ended_at
		from flow_job m where m.flow_id = f.id) s;
comment on view flows is 'The progress of flows';

create or replace view limits as
	select l.kind, l.name, l.concurrency, l.rate, l.rate_period, l.burst, l.ordered, l.source, l.changed_at,
		case when l.kind <> 'key' then (
			select count(*) from job_slot s join job j on j.id = s.job_id and j.lease = s.lease and j.worker_id is not null
			where s.kind = l.kind and s.name = l.name)
		when k.limit_key is not null then ( -- the units of this key; a class of keys has no use of its own
			select coalesce(sum(least(coalesce(j.limit_units, 1), l.concurrency)), 0) from job j
			where j.limit_key = l.name and j.indexed_state in ('queued', 'running')) end as held,
		case when l.rate is not null and (l.kind <> 'key' or k.limit_key is not null) then floor(tokens_now(l,
			case l.kind when 'key' then k.tokens else l.tokens end, case l.kind when 'key' then k.tokens_at else l.tokens_at end,
			clock_timestamp()))::integer end as tokens
	from job_limit l left join job_key k on l.kind = 'key' and k.limit_key = l.name;
comment on view limits is 'Limits and their current use';

create or replace view pauses as
	select kind, name, case source when '' then 'pause' when ':hold' then 'hold' else 'window' end as cause,
		nullif(nullif(source, ''), ':hold') as window, reason, paused_at as since,
		case when clock_timestamp() < open_from then open_from end as until
	from pause p
	where is_closed(p);
comment on view pauses is 'Queues, types and limit keys that are not claimed now, and until when';
