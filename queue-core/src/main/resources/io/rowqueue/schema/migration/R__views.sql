-- Views for psql and BI tools: docs/views.md. Their columns are a contract; none of them shows a payload, so that a
-- role that may read only the views sees none. Those of other parts are in their files.

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
