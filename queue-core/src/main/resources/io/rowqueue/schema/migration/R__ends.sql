-- Ends tracked jobs that succeeded, and notifies everything that waits for them. Returns a row for each job that was ended, and
-- one for each queue that has jobs to claim now; limited: those have limit keys and are to be admitted first.
create or replace function succeed_tracked(ids bigint[], worker bigint, token integer, results text[], result_ids bigint[],
		keep boolean, exceptions text[])
	returns table (job_id bigint, queue text, limited boolean)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	ended bigint[];
	batches bigint[];
begin
	with gone as (
		delete from job j
		where j.id = any (ids) and j.worker_id = worker and j.lease = token and j.tracked
		returning j.*, (results[array_position(result_ids, j.id)])::json as result),
	taken as (
		insert into taken_key (unique_key, job_id, taken_until, limit_key)
		select g.unique_key, g.id, clock_timestamp() + g.unique_for, g.limit_key from gone g where g.unique_for is not null
		on conflict (unique_key, from_enqueue) do update
		set job_id = excluded.job_id, taken_until = excluded.taken_until, limit_key = excluded.limit_key),
	remembered as (
		insert into job_result (job_id, result)
		select g.id, g.result from gone g
		where g.result is not null and (exists (select from flow_job m where m.job_id = g.id)
			or exists (select from job_dependency d where d.predecessor_id = g.id))),
	finished as (
		insert into job_finished (id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts, queue, type,
			unique_key, last_error, payload, state, finished_at, result)
		select g.id, g.run_at, g.created_at, g.leased_at, g.worker_id, g.priority, g.attempt, g.max_attempts, g.queue, g.type,
			g.unique_key, g.last_error, case when pg_column_size(g.payload) <= 2000 then g.payload end, 'succeeded',
			clock_timestamp(), g.result
		from gone g where keep <> (g.queue = any (exceptions)))
	select array_agg(g.id), array_agg(g.batch_id) into ended, batches from gone g;
	return query select e, null::text, null::boolean from unnest(ended) as e;
	return query select null::bigint, o.queue, o.limited from end_jobs(ended, batches, 'succeeded') o;
end
$function$;

-- The same as end_jobs for one job, as a part of the statement that ends it; wakes the workers.
create or replace function end_job(id bigint, batch_id bigint, outcome text) returns void language plpgsql as $function$
begin
	perform wake_up(e.queue, e.limited) from end_jobs(array[id], array[batch_id], outcome::job_state) e;
end
$function$;

-- Notifies everything that waits for jobs how these ended, in the transaction in which they end: their flow, their batch, their
-- successors. Returns the queues that have jobs to claim now; limited: those have limit keys and are to be admitted first.
-- All transactions lock in one direction: job, dependencies, successors, their dependencies. If there are too many successors for
-- one statement, maintenance notifies the others. With low and high, only the successors in between are notified, and the
-- jobs are not counted among those that have ended. Only the successors of one round are locked in one order: from the second
-- round on, those that are locked may belong to a transaction that waits for this one, and maintenance notifies them as well.
create or replace function end_jobs(ids bigint[], batch_ids bigint[], outcome job_state, low bigint default null,
		high bigint default null)
	returns table (queue text, limited boolean) language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	max_successors constant integer = 20000; -- the maximum of a flow
	notified integer = 0;
	is_first boolean = true;
	waiting integer;
	ended bigint[] = ids;
	batches bigint[] = batch_ids;
	how job_state = outcome;
	from_id bigint = coalesce(low, 0);
	to_id bigint = coalesce(high, 9223372036854775807);
	released record;
begin
	while cardinality(ended) > 0 loop
		if notified > 0 or low is null then
			update flow_job m set state = how, ended_at = clock_timestamp() where m.job_id = any (ended);
			insert into batch_delta (batch_id, succeeded, failed, cancelled)
			select b, sum((how = 'succeeded')::integer), sum((how = 'failed')::integer), sum((how = 'cancelled')::integer)
			from unnest(batches) as b where b is not null group by b;
		end if;
		if how = 'failed' and (notified > 0 or low is null) then
			return query select f.queue, f.limited from enqueue_on_failure(ended) f;
		end if;
		waiting := (select count(*) from (
			select from job_dependency d where d.predecessor_id = any (ended) and d.successor_id > from_id and d.successor_id <= to_id
			limit greatest(1, max_successors + 1 - notified)) d);
		exit when waiting = 0;
		notified := notified + waiting;
		if notified > max_successors or not (is_first or lock_successors(ended)) then
			insert into job_end (job_id, outcome)
			select e, how from unnest(ended) as e where exists (select from job_dependency d where d.predecessor_id = e)
			on conflict (job_id) do update set outcome = excluded.outcome, notified_up_to = 0;
			exit;
		end if;
		select t.* into released from notify_successors(ended, how, from_id, to_id) t;
		is_first := false;
		return query select * from unnest(released.queues, released.limited);
		ended := released.failed;
		batches := released.batches;
		notified := notified + 20; -- each further round takes about as long as 20 successors
		how := 'failed';
		from_id := 0;
		to_id := 9223372036854775807;
	end loop;
end
$function$;

-- Notifies the successors of jobs in a range how these ended. Returns the queues that have jobs to claim now, whether these have
-- limit keys and are to be admitted first, and the successors that have failed as a consequence.
create or replace function notify_successors(ended bigint[], how job_state, low bigint, high bigint,
		out queues text[], out limited boolean[], out failed bigint[], out batches bigint[])
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	waiting bigint[];
	free bigint[];
	failing bigint[];
	causes bigint[];
begin
	if how = 'succeeded' then
		with gone as (
			delete from job_dependency d
			where d.predecessor_id = any (ended) and d.successor_id > low and d.successor_id <= high returning d.successor_id)
		select array_agg(distinct gone.successor_id) into waiting from gone;
	else
		-- a cancelled job never runs again: no job waits for it any longer
		with gone as (
			delete from job_dependency d
			where d.predecessor_id = any (ended) and d.successor_id > low and d.successor_id <= high
				and (how is distinct from 'failed' or d.when_failed in ('run', 'wake'))
			returning d.successor_id, d.predecessor_id, d.when_failed in ('run', 'wake') as runs),
		bad as (
			select g.successor_id, min(g.predecessor_id) as cause from gone g where not g.runs group by 1)
		select (select array_agg(distinct g.successor_id) from gone g where g.runs),
			(select array_agg(bad.successor_id order by bad.successor_id) from bad),
			(select array_agg(bad.cause order by bad.successor_id) from bad)
		into waiting, failing, causes;
		if how = 'failed' then
			select array_agg(bad.successor_id order by bad.successor_id), array_agg(bad.cause order by bad.successor_id)
			into failing, causes
			from (select d.successor_id, min(d.predecessor_id) as cause from job_dependency d
				where d.predecessor_id = any (ended) and d.successor_id > low and d.successor_id <= high
					and d.when_failed = 'fail' group by 1) bad;
		end if;
	end if;

	-- Not a successor with a dependency that no transaction is ending: the one that ends it later waits for the lock and
	-- sees what this one did. If all that are left are being ended, the transactions wait for each other on the
	-- successor's row.
	select array_agg(w.id) into free
	from unnest(waiting) as w (id)
	left join lateral (
		select true as found from job_dependency d where d.successor_id = w.id limit 1 for update skip locked) other on true
	where other.found is null;
	if failing is not null then
		perform from job j where j.id = any (array_cat(free, failing)) order by j.id for update; -- all in one order
	end if;
	select array_agg(r.queue), array_agg(r.limited) into queues, limited from release_blocked(free) r;

	with failed as (
		update job j
		set state = 'failed', leased_at = clock_timestamp(), last_error = format('Job %s%s, which it was to run after, %s', cause.id,
			coalesce(' (' || coalesce((select p.type from job p where p.id = cause.id),
				(select p.type from job_finished p where p.id = cause.id limit 1)) || ')', ''),
			case how when 'failed' then 'failed' when 'cancelled' then 'was cancelled'
				else 'did not succeed and is not kept any longer' end)
		-- one after the other, by the key: the planner must not compare each of them with each
		from unnest(failing, causes) as cause (successor, id)
			cross join lateral (select b.ctid as tid from job b where b.id = cause.successor offset 0) locked
		where j.ctid = locked.tid and j.state::text = 'blocked'
		returning j.id, j.batch_id)
	select array_agg(failed.id), array_agg(failed.batch_id) into failed, batches from failed;
end
$function$;

-- Locks the successors of jobs that have failed, and the dependencies that this changes, as far as that is possible without waiting;
-- returns whether all are locked.
create or replace function lock_successors(failed bigint[]) returns boolean
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	locked bigint;
	successors bigint[];
begin
	select count(*), array_agg(l.successor_id) into locked, successors from (
		select d.successor_id from job_dependency d
		where d.predecessor_id = any (failed) and d.when_failed <> 'wait' for update skip locked) l;
	if locked < (select count(*) from job_dependency d where d.predecessor_id = any (failed) and d.when_failed <> 'wait') then
		return false;
	end if;
	select count(*) into locked from (select from job j where j.id = any (successors) for update skip locked) l;
	return locked >= (select count(*) from job j where j.id = any (successors));
end
$function$;

-- Continues to notify the successors of jobs that have ended, up to a maximum. Returns the queues that have jobs to claim now,
-- whether these have limit keys and are to be admitted first, and a row of nulls if it is to be called again. If another
-- transaction keeps a successor locked, the job before it is left for the next call, as in settle_dependencies.
create or replace function continue_ends(max_successors integer) returns table (queue text, limited boolean)
	language plpgsql set enable_seqscan = off set jit = off set lock_timeout = '100ms' as $function$
#variable_conflict use_column
declare
	left_over integer = max_successors;
	each job_end;
	next record;
begin
	for each in select * from job_end e order by e.job_id for update skip locked loop
		select count(*) as successors, max(d.successor_id) as last into next from (
			select d.successor_id from job_dependency d
			where d.predecessor_id = each.job_id and d.successor_id > each.notified_up_to
			order by d.successor_id limit left_over) d;
		begin
			if next.successors < left_over then
				delete from job_end e where e.job_id = each.job_id;
			else
				update job_end e set notified_up_to = next.last where e.job_id = each.job_id;
			end if;
			return query select * from end_jobs(array[each.job_id], null, each.outcome, each.notified_up_to, next.last);
		exception when lock_not_available then
			continue; -- the next call retries it
		end;
		left_over := left_over - next.successors;
		if left_over = 0 then
			return next;
			return;
		end if;
	end loop;
end
$function$;

-- Stores what is to be enqueued if jobs fail permanently: for each, an object of texts by the names of the columns of job_on_failure,
-- with durations in microseconds, and a label in each line. The end of a job that is not tracked does not look for it.
create or replace function store_on_failure(ids bigint[], requests jsonb[]) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
begin
	update job j set tracked = true where j.id = any (ids) and j.tracked is null;
	insert into job_on_failure (job_id, queue, type, priority, max_attempts, run_at, delay, tolerance, headers, limit_key, limit_units,
		expires_in, labels, payload)
	select u.id, r.queue, r.type, r.priority, r.max_attempts, r.run_at, r.delay * interval '1 microsecond',
		r.tolerance * interval '1 microsecond', r.headers::json, r.limit_key, r.limit_units, r.expires_in * interval '1 microsecond',
		string_to_array(r.labels, E'\n'), r.payload::json
	from unnest(ids, requests) as u (id, request)
		cross join jsonb_to_record(u.request) as r (queue text, type text, priority smallint, max_attempts smallint, run_at timestamptz,
			delay float8, tolerance float8, headers text, limit_key text, limit_units smallint, expires_in float8, labels text, payload text)
	on conflict (job_id) do nothing;
end
$function$;

-- Enqueues what is to run because these jobs have failed permanently. It waits for no other transaction: the end of the failed
-- jobs must not. Returns the queues that have jobs to claim now; limited: those have limit keys and are to be admitted first.
create or replace function enqueue_on_failure(failed bigint[]) returns table (queue text, limited boolean)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	each job_on_failure;
	due timestamptz;
	expiry timestamptz;
	new_id bigint;
begin
	for each in select * from job_on_failure o where o.job_id = any (failed) order by o.job_id loop
		due := coalesce(each.run_at, clock_timestamp() + each.delay);
		expiry := clock_timestamp() + each.expires_in;
		each.headers := coalesce(each.headers::jsonb, '{}') || jsonb_build_object('failed-job', each.job_id::text)
			|| case when expiry is null then '{}' else jsonb_build_object('expires-at',
				to_char(expiry at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) end;
		insert into job as j (id, queue, type, priority, max_attempts, run_at, tolerance, payload, headers, limit_key,
			limit_units, order_at, state)
		values (nextval('job_id_seq'), each.queue, each.type, each.priority, each.max_attempts, due, each.tolerance, each.payload,
			each.headers, each.limit_key, each.limit_units, deadline(due, each.tolerance), initial_state(due, each.limit_key))
		returning j.id into new_id;
		if expiry is not null then
			insert into job_expiry (job_id, expires_at) values (new_id, expiry);
		end if;
		insert into job_tag (job_id, name, value)
		select new_id, '', t from unnest(string_to_array(each.headers ->> 'tags', E'\n')) as t
		union all
		select new_id, l, each.headers ->> l from unnest(each.labels) as l;
		if due <= clock_timestamp() then
			queue := each.queue;
			limited := each.limit_key is not null;
			return next;
		end if;
	end loop;
end
$function$;

call pin_search_path('succeed_tracked', 'end_job', 'end_jobs', 'notify_successors', 'lock_successors', 'continue_ends',
	'store_on_failure', 'enqueue_on_failure');
