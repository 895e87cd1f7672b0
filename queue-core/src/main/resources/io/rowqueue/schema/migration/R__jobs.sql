-- Calls what parts of the schema add to the core: their functions on_<event>_<part>(bigint[]), in the order of their names.
-- The events are
--   hold    jobs are about to be referred to by the calling transaction, and must stay in this database until its end;
--   cancel  jobs are about to be cancelled: a part that keeps some of them elsewhere moves them to job;
--   erase   jobs are about to be erased: the part erases its traces of them;
--   retry   failed jobs, which this transaction has locked, are about to be queued again: the part rejects some of them with the SQL
--           state PQ001, whose detail is the array of their ids, and is called again for the others;
--   retain  without jobs: the part deletes a batch of its old data, and returns whether there may be more.
-- Returns whether one of them returns true.
create or replace function call_parts(event text, ids bigint[]) returns boolean
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	each name;
	answer text;
	any_true boolean = false;
begin
	for each in
		select p.proname from pg_proc p
		where p.proname >= ('on_' || event || '_')::name and p.proname < ('on_' || event || '`')::name -- which follows _ in ASCII
			and p.pronamespace = (select c.pronamespace from pg_proc c where c.oid = 'call_parts'::regproc)
		order by p.proname
	loop
		execute format('select %I($1)', each) into answer using ids;
		any_true := any_true or answer = 'true';
	end loop;
	return any_true;
end
$function$;

-- Cancels jobs that no worker holds, and follow-ups, and notifies what waits for them; returns those that it has cancelled. Dependencies
-- that were added after those were locked that it knew are deleted by whoever has locked them: the end of a predecessor, or another
-- cancellation of the job, which finds that it is gone. Both may wait for the job that this transaction has locked. Of several, those
-- are left out that another transaction has locked or that run after others, and follow-ups: call it for each of them alone.
create or replace function cancel_jobs(ids bigint[]) returns setof bigint
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	free bigint[] = ids;
	gone bigint[];
	batches bigint[];
	failed bigint[];
begin
	perform call_parts('cancel', ids);
	if cardinality(ids) = 1 then
		-- before the job, as the end of a predecessor does
		perform from job_dependency d where d.successor_id = any (ids) order by d.predecessor_id for update;
	else
		free := array(
			select j.id from job j
			where j.id = any (ids) and j.worker_id is null and not exists (select from job_dependency d where d.successor_id = j.id)
			order by j.id for update skip locked);
	end if;
	select array_agg(m.id), array_agg(m.batch_id), array_agg(m.batch_id) filter (where m.state = 'failed')
	into gone, batches, failed from move_cancelled(free) m;
	delete from job_dependency d where d.ctid = any (array(
		select l.ctid from job_dependency l
		where l.successor_id = any (free) and not exists (select from job j where j.id = l.successor_id) for update skip locked));
	insert into batch_delta (batch_id, failed) -- they were counted as failed
	select b, -count(*) from unnest(failed) as b where b is not null group by b;
	perform wake_up(e.queue, e.limited) from end_jobs(gone, batches, 'cancelled') e;
	return query select unnest(gone);
end
$function$;

-- Cancels a job as a transaction has requested, or asks its worker to stop it. A request of which the job was replaced meanwhile
-- is gone: the locks are those of cancel_jobs, and taken before it looks.
create or replace function cancel_as_requested(request_id bigint, job_id bigint) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
begin
	perform from job_dependency d where d.successor_id = cancel_as_requested.job_id order by d.predecessor_id for update;
	perform from job j where j.id = cancel_as_requested.job_id for update;
	delete from cancel_request r where r.id = request_id;
	if found and not exists (select from cancel_jobs(array[cancel_as_requested.job_id])) then
		with asked as (
			update job j set cancel_requested = true
			where j.id = cancel_as_requested.job_id and j.worker_id is not null returning j.worker_id)
		update worker w set cancel_requests = w.cancel_requests + 1 from asked where w.id = asked.worker_id;
	end if;
end
$function$;

-- Moves jobs that no worker holds, and follow-ups, to the history as cancelled. Returns the state that each job had; null for the
-- latter.
create or replace function move_cancelled(ids bigint[]) returns table (id bigint, batch_id bigint, state job_state)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	return query
		with active as (
			delete from job j where j.id = any (ids) and j.worker_id is null
			returning j.id, j.run_at, j.created_at, j.leased_at, j.priority, j.attempt, j.max_attempts, j.queue, j.type,
				j.unique_key, j.last_error, j.payload, j.batch_id, j.state),
		follow_up as (
			delete from job_follow_up f where f.id = any (ids)
			returning f.id, f.run_at, f.created_at, null::timestamptz as leased_at, f.priority, 0::smallint as attempt,
				f.max_attempts, f.queue, f.type, f.unique_key, null::text as last_error, f.payload, null::bigint as batch_id,
				null::job_state as state),
		gone as (
			select * from active union all select * from follow_up),
		kept_key as ( -- from the enqueue on, however the job ends
			update taken_key t set unsuccessful_id = t.job_id where t.ctid = any (array(
				select k.tid from gone g cross join lateral (
					select k.ctid as tid from taken_key k where k.unique_key = g.unique_key and k.job_id = g.id
					for no key update skip locked) k))),
		finished as (
			insert into job_finished (id, run_at, created_at, leased_at, priority, attempt, max_attempts, queue, type,
				unique_key, last_error, payload, state, finished_at)
			select g.id, g.run_at, g.created_at, g.leased_at, g.priority, g.attempt, g.max_attempts, g.queue, g.type,
				g.unique_key, g.last_error, g.payload, 'cancelled', clock_timestamp()
			from gone g)
		select g.id, g.batch_id, g.state from gone g;
end
$function$;

-- Cancels jobs that have expired before they began, up to a maximum, and forgets those that have begun, ended or been
-- replaced. Jobs that other transactions have locked are left for the next time, as are follow-ups and jobs that wait for a
-- slot of their worker, which decides. Returns the cancelled jobs.
create or replace function expire(max_jobs integer) returns table (id bigint, queue text, type text)
	language plpgsql set enable_seqscan = off set jit = off set lock_timeout = '100ms' as $function$
#variable_conflict use_column
declare
	due bigint;
	gone record;
begin
	delete from job_expiry e where e.job_id = any (array(
		select d.job_id from job_expiry d
		where d.expires_at <= clock_timestamp()
			and not exists (select from job_follow_up f where f.id = d.job_id)
			and not exists (
				select from job j
				where j.id = d.job_id and (j.worker_id is null and j.attempt = 0 and j.state::text <> 'failed' or j.state::text = 'starting' and j.attempt = 1)
					and (j.headers ->> 'expires-at')::timestamptz is not null)
		order by d.expires_at, d.job_id limit max_jobs for update of d skip locked));
	for due in
		select e.job_id from job_expiry e join job j on j.id = e.job_id
		where e.expires_at <= clock_timestamp() and j.worker_id is null
		order by e.expires_at, e.job_id limit max_jobs
	loop
		begin
			-- before the job, as the end of a predecessor does
			perform from job_dependency d where d.successor_id = due order by d.predecessor_id for update;
			update job j set last_error = 'The job expired before it began'
			where j.id = due and j.worker_id is null and j.attempt = 0 and j.state::text <> 'failed'
				and (j.headers ->> 'expires-at')::timestamptz <= clock_timestamp()
			returning j.id, j.queue, j.type into gone;
			if found then
				perform cancel_jobs(array[due]);
				delete from job_expiry e where e.job_id = due;
				return query select gone.id, gone.queue, gone.type;
			end if;
		exception when lock_not_available then
			null; -- the next run of the task retries it
		end;
	end loop;
end
$function$;

-- Erases jobs that no worker holds, with all their traces. A job that has not ended is cancelled first, so that what waits for it
-- is notified. Returns those that there were, or of which there was a key that they have kept for longer than their history. Of several,
-- those are left out that cancel_jobs leaves out.
create or replace function erase_jobs(ids bigint[]) returns setof bigint
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	gone bigint[] = array(select cancel_jobs(ids));
	free bigint[] = array(select i from unnest(ids) as i
		where not exists (select from job j where j.id = i) and not exists (select from job_follow_up f where f.id = i));
	relation text;
begin
	with deleted as (delete from taken_key t where t.job_id = any (free) returning t.job_id)
	select gone || array_agg(d.job_id) into gone from deleted d;
	with deleted as (delete from job_finished h where h.id = any (free) returning h.id)
	select gone || array_agg(d.id) into gone from deleted d;
	perform call_parts('erase', free);
	for relation in select t.name from job_table t order by t.name loop
		execute format('delete from %I r where r.job_id = any ($1)', relation) using free;
	end loop;
	return query select distinct g from unnest(gone) as g;
end
$function$;

-- Queues failed jobs again, or lets them wait for their predecessors again if they failed with one of those. Successors that
-- failed with them wait for them again. Returns the jobs with their queues and states; not those that have not failed, whose unique
-- key another job has taken or kept meanwhile, or that a part rejects. Of several, it returns the latter as failed.
-- Of several, those are left out as well that another transaction has locked, that run after others, or that follow another one with the
-- same key in the list; and all, if a key of one of them is taken at this moment: call it for each of the others alone.
create or replace function retry_jobs(ids bigint[]) returns table (id bigint, queue text, state text)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	back bigint[] = ids;
	rejected bigint[];
	detail text;
	queues text[];
	states text[];
	batches bigint[];
	again bigint[];
begin
	if cardinality(ids) = 1 then
		perform from job j where j.id = any (ids) for update;
	else
		back := array(
			select f.id from (
				select j.id, j.unique_key, row_number() over (partition by j.unique_key order by i.place) as place
				from unnest(ids) with ordinality as i (id, place) join job j on j.id = i.id
				where j.state::text = 'failed' and not exists (select from job_dependency d where d.successor_id = j.id)
					and not exists (select from job other where other.unique_key = j.unique_key and other.indexed_state <> 'failed')
					and not exists (select from taken_key t
						where t.unique_key = j.unique_key and t.taken_until > clock_timestamp() and t.job_id <> j.id)) f
			where f.unique_key is null or f.place = 1);
		back := array(select j.id from job j where j.id = any (back) and j.state::text = 'failed' order by j.id for update skip locked);
	end if;
	begin
		loop
			begin
				perform call_parts('retry', back);
				exit;
			exception when sqlstate 'PQ001' then
				get stacked diagnostics detail = pg_exception_detail;
				rejected := rejected || detail::bigint[];
				back := array(select i from unnest(back) as i where i <> all (rejected));
			end;
		end loop;
		with retried as (
			update job j
			set state = (case when exists (
						select from job_dependency d where d.successor_id = j.id and d.when_failed <> 'wake') then 'blocked'
					else initial_state(statement_timestamp(), j.limit_key)::text end)::job_state,
				attempt = 0, deaths = null, cancel_requested = false, run_at = statement_timestamp(),
				order_at = deadline(statement_timestamp(), j.tolerance)
			where j.id = any (back) and j.state::text = 'failed'
				and not exists (
					select from job other where other.unique_key = j.unique_key and other.indexed_state <> 'failed')
			returning j.id, j.queue, j.state::text as state, j.batch_id)
		select array_agg(r.id), array_agg(r.queue), array_agg(r.state), array_agg(r.batch_id)
		into back, queues, states, batches from retried r;
		if cardinality(ids) > 1 then
			return query select i, null::text, 'failed' from unnest(rejected) as i;
		end if;
		if back is null then
			return;
		end if;
		-- after the wait for a transaction that had the key
		if exists (
			select from job j join taken_key t on t.unique_key = j.unique_key
			where j.id = any (back) and t.taken_until > clock_timestamp() and t.job_id <> j.id)
		then
			raise exception using errcode = 'PQ001', message = 'another job keeps the key';
		end if;
	exception when unique_violation or sqlstate 'PQ001' then
		return;
	end;
	return query select * from unnest(back, queues, states);
	-- they wait again for signals that they have waited for in vain
	delete from job_wait w using job_signal s
	where w.job_id = any (back) and w.kind = 'signal' and s.job_id = w.job_id and s.name = w.name and s.timed_out;
	delete from job_signal s where s.job_id = any (back) and s.timed_out;
	while cardinality(back) > 0 loop
		delete from job_end e where e.job_id = any (back); -- successors that were not notified still wait
		update flow_job m set state = null, ended_at = null where m.job_id = any (back);
		insert into batch_delta (batch_id, failed) select b, -count(*) from unnest(batches) as b where b is not null group by b;
		again := array(select d.successor_id from job_dependency d
			where d.predecessor_id = any (back) and d.when_failed = 'fail');
		perform from job j where j.id = any (again) order by j.id for update;
		with revived as (
			update job j set state = 'blocked', leased_at = null, last_error = null
			where j.id = any (again) and j.state::text = 'failed' and not exists (
				select from job_dependency d join job p on p.id = d.predecessor_id
				where d.successor_id = j.id and d.when_failed = 'fail' and p.state::text = 'failed')
			returning j.id, j.batch_id)
		select array_agg(r.id), array_agg(r.batch_id) into back, batches from revived r;
	end loop;
end
$function$;

-- Retries a failed job so that it repeats a recorded step and all steps that were recorded after it. Returns its queue and state
-- as retry_jobs does, and whether the job has failed and has recorded the step.
create or replace function retry_from_step(id bigint, step text, out queue text, out state text, out known boolean)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	recorded_at timestamptz;
	token integer;
begin
	perform from job j where j.id = retry_from_step.id for update;
	select s.finished_at, j.lease into recorded_at, token
	from job j join job_step s on s.job_id = j.id and s.name = retry_from_step.step
	where j.id = retry_from_step.id and j.state::text = 'failed' and step <> '' and (s.kept or not exists (
		select from job_step f where f.job_id = s.job_id and f.name = '' and f.lease >= s.lease));
	known := found;
	if not known then
		return;
	end if;
	select r.queue, r.state into queue, state from retry_jobs(array[retry_from_step.id]) r;
	if not found then
		return;
	end if;
	delete from job_step s
	where s.job_id = retry_from_step.id and s.name <> '' and ((s.finished_at, s.name) >= (recorded_at, retry_from_step.step)
		or s.kept is not true and exists (
			select from job_step f where f.job_id = s.job_id and f.name = '' and f.lease >= s.lease));
	update job_step s set kept = true where s.job_id = retry_from_step.id and s.name <> '' and s.kept is not true;
	insert into job_step as s (job_id, name, lease, finished_at) values (retry_from_step.id, '', token, clock_timestamp())
	on conflict (job_id, name) do update set lease = excluded.lease, finished_at = excluded.finished_at;
	delete from job_wait w
	where w.job_id = retry_from_step.id and case w.kind when 'sleep' then w.began_at >= recorded_at when 'jobs' then not exists (
		select from job_step s where s.job_id = w.job_id and s.name = 'jobs:' || w.name) end;
end
$function$;

-- Forgets what a job has from its former request, which was replaced, a request to cancel it included, and from its attempts up to a
-- lease. What these still record does not count.
create or replace function begin_anew(id bigint, token integer) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	relation text;
begin
	for relation in
		select t.name from job_table t where t.replaced = 'always' or t.replaced = 'attempt' and token > 0 order by t.name
	loop
		execute format('delete from %I r where r.job_id = $1', relation) using begin_anew.id;
	end loop;
	if token > 0 then
		insert into job_step (job_id, name, lease, finished_at) values (begin_anew.id, '', token, clock_timestamp());
	end if;
end
$function$;

call pin_search_path('call_parts', 'cancel_jobs', 'cancel_as_requested', 'move_cancelled', 'expire', 'erase_jobs', 'retry_jobs',
	'retry_from_step', 'begin_anew');
