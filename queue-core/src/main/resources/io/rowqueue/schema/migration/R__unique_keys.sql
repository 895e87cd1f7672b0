-- Stores a job with a unique key, or applies the duplicate policy if the key is taken. Each statement sees what was
-- committed before it began: after a wait for another transaction it reads again. A caller that is named as enqueued_by
-- changes only jobs with the same name, and runs no others again. The key is kept from now on for kept_for, whatever becomes of
-- the job; a replaced job is due at_most after it was stored first. A job that has recorded steps has computed their results from
-- what it saw: to replace it is to begin anew, and to run it again or to merge its payload takes a follow-up, also if it is a
-- follow-up that had begun in another shard. So does a job that is to be cancelled as soon as a worker claims it, or maintenance
-- sees the request: it runs no more. A job that is created has the id new_id, if it is given: jobs of a list are stored in the order
-- of their keys, and have their ids in that of the list.
create or replace function enqueue_keyed(request job_request, duplicates text, kept_for interval default null,
		at_most interval default null, new_id bigint default null, out id bigint, out outcome text, out existing json)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	key constant text = request.unique_key;
	caller constant text = request.enqueued_by;
	last bigint; -- the last job in the queue of the key
	token integer; -- the number of the latest lease of a replaced job
begin
	for i in 1..10 loop
		-- the key is kept: its job succeeded some time ago, or keeps the key whatever becomes of it
		select t.job_id, case when exists (select from job j where j.id = t.job_id and j.indexed_state <> 'failed')
				or exists (select from job_follow_up f where f.id = t.job_id) then 'kept' else 'done' end into id, outcome
		from taken_key t where t.unique_key = key and t.taken_until > clock_timestamp() order by t.from_enqueue desc limit 1;
		if found then
			return;
		end if;

		if caller is not null and duplicates <> 'keep' then
			if exists (
				select from job_follow_up f where f.unique_key = key and f.enqueued_by is distinct from caller
				union all
				select from job j
				where j.unique_key = key and j.indexed_state <> 'failed' and j.enqueued_by is distinct from caller)
			then
				raise insufficient_privilege using
					message = format('enqueue: a job that %I has not enqueued has the unique key %L', caller, key),
					hint = 'duplicates => ''keep'' leaves it as it is. To change jobs of others, a role needs the right to'
						|| ' update the table job.';
			end if;
		end if;

		-- maintenance releases a follow-up when its predecessor has ended; until then it is the last one
		select f.id into last from job_follow_up f where f.unique_key = key order by f.lease is null desc, f.id desc limit 1;
		if found then
			case duplicates
				when 'replace' then
					update job_follow_up f
					set type = request.type, payload = request.payload, headers = request.headers, queue = request.queue,
						priority = request.priority, max_attempts = request.max_attempts, limit_key = request.limit_key,
						limit_units = request.limit_units, run_at = least(request.run_at, f.created_at + at_most), tolerance = request.tolerance,
						unique_for = request.unique_for, enqueued_by = caller, attempt = null, leased_at = null,
						deaths = null, cancel_requested = null, last_error = null
					where f.id = last and (caller is null or f.enqueued_by = caller)
					returning f.id, 'replaced', f.lease into id, outcome, token;
				when 'merge' then
					select f.id, 'merged', f.payload into id, outcome, existing
					from job_follow_up f where f.id = last and f.lease is null for update;
				when 'run_again' then
					if exists (select from job j where j.unique_key = key and j.indexed_state <> 'failed')
						or exists (select from job_follow_up f where f.unique_key = key and f.id < last)
					then
						select f.id, 'kept' into id, outcome from job_follow_up f where f.id = last and f.lease is null for share;
					else
						select f.id, 'kept' into id, outcome
						from job_follow_up f where f.id = last and f.lease is null for no key update skip locked;
					end if;
				else
					id := last;
					outcome := 'kept';
					return;
			end case;
			if found then
				if duplicates = 'replace' then
					perform begin_anew(enqueue_keyed.id, coalesce(token, 0));
					if kept_for is not null then
						perform keep_key(key, enqueue_keyed.id, kept_for, request.limit_key);
					end if;
				end if;
				return;
			end if;
			if duplicates = 'replace' or not exists (
				select from job_follow_up f where f.id = last and (duplicates = 'run_again' or f.lease is not null))
			then
				continue; -- it was queued meanwhile
			end if;
		else
			insert into job as j (id, queue, type, priority, max_attempts, unique_key, run_at, tolerance, unique_for, payload,
				headers, limit_key, limit_units, enqueued_by, order_at, state)
			values (coalesce(new_id, nextval('job_id_seq')), request.queue, request.type, request.priority, request.max_attempts, key,
				request.run_at, request.tolerance, request.unique_for, request.payload, request.headers, request.limit_key,
				request.limit_units, caller, deadline(request.run_at, request.tolerance), initial_state(request.run_at, request.limit_key))
			on conflict (unique_key) where unique_key is not null and indexed_state <> 'failed' do nothing
			returning j.id into id;
			if found then
				if current_setting('transaction_isolation') <> 'read committed' then
					-- the job that this transaction sees has ended: it may have a follow-up that no statement sees
					if exists (
						select from job j
						where j.unique_key = key and j.indexed_state <> 'failed' and j.id <> enqueue_keyed.id)
					then
						raise serialization_failure using
							message = format('the job with the unique key %L has ended since the transaction began', key),
							hint = 'Repeat the transaction.';
					end if;
					-- no statement sees a kept key that was committed meanwhile, but the index does, and rejects the rows
					insert into taken_key (unique_key, job_id, taken_until, from_enqueue)
					values (key, enqueue_keyed.id, '-infinity', false), (key, enqueue_keyed.id, '-infinity', true)
					on conflict do nothing;
				end if;
				if not exists (select from taken_key t where t.unique_key = key and t.taken_until > clock_timestamp())
					and not exists (select from job_follow_up f where f.unique_key = key)
				then
					outcome := 'created';
					if kept_for is not null then
						perform keep_key(key, enqueue_keyed.id, kept_for, request.limit_key);
					end if;
					return;
				end if;
				delete from job j where j.id = enqueue_keyed.id; -- the job with the key ended while the insert waited for it
				continue;
			end if;

			if duplicates = 'keep' then
				select j.id, 'kept' into id, outcome from job j where j.unique_key = key and j.indexed_state <> 'failed';
				if found then
					return;
				end if;
				continue;
			end if;

			-- The job, if no worker has taken it. Where a claim comes between, PostgreSQL locks the row before it sees that
			-- the job is leased: to roll the block back is the one way to release that lock, and the end of the job does not
			-- wait for the caller's transaction.
			begin
				case duplicates
					when 'replace' then
						update job j
						set type = request.type, payload = request.payload, headers = request.headers, queue = request.queue,
							priority = request.priority, max_attempts = request.max_attempts, limit_key = request.limit_key,
							limit_units = request.limit_units, awaits_key = null, run_at = least(request.run_at, j.created_at + at_most), tolerance = request.tolerance,
							unique_for = request.unique_for,
							order_at = deadline(least(request.run_at, j.created_at + at_most), request.tolerance),
							-- what it waits for stays: a job of a flow or the one before it
							state = case when j.state = 'blocked' and j.awaits_key is null then j.state
								else initial_state(least(request.run_at, j.created_at + at_most), request.limit_key) end,
							attempt = 0, deaths = null, leased_at = null, cancel_requested = false, last_error = null,
							enqueued_by = caller
						where j.unique_key = key and j.indexed_state <> 'failed' and j.worker_id is null
							and (caller is null or j.enqueued_by = caller)
						returning j.id, 'replaced', j.lease into id, outcome, token;
					when 'merge' then
						select j.id, 'merged', j.payload into id, outcome, existing
						from job j
						where j.unique_key = key and j.indexed_state <> 'failed' and j.worker_id is null
						for update;
					else
						-- No worker may take it before the caller's change is committed. Of callers that keep the same job while
						-- it is due, one delays it, and the others get a follow-up: together they could delay it for ever.
						select j.id, 'kept' into id, outcome
						from job j
						where j.unique_key = key and j.indexed_state <> 'failed' and j.worker_id is null
							and j.run_at > clock_timestamp()
						for share skip locked;
						if not found then
							select j.id, 'kept' into id, outcome
							from job j
							where j.unique_key = key and j.indexed_state <> 'failed' and j.worker_id is null
							for no key update skip locked;
						end if;
				end case;
				if found and exists (select from taken_key t where t.unique_key = key and t.taken_until > clock_timestamp()) then
					-- the transaction that this call has waited for keeps the key
				elsif found and duplicates = 'replace' then
					perform begin_anew(enqueue_keyed.id, token);
					if kept_for is not null then
						perform keep_key(key, enqueue_keyed.id, kept_for, request.limit_key);
					end if;
					return;
				elsif found and not exists (
					select from job_step s where s.job_id = enqueue_keyed.id and s.name <> ''
					union all
					select from job j where j.id = enqueue_keyed.id and j.cancel_requested
					union all
					select from cancel_request c where c.job_id = enqueue_keyed.id)
				then
					return;
				end if;
				raise exception using errcode = 'PQ001',
					message = 'a worker has taken the job, it has recorded steps, it is to be cancelled, or its key is kept';
			exception when sqlstate 'PQ001' then
				continue when exists (select from taken_key t where t.unique_key = key and t.taken_until > clock_timestamp());
			end;
			select j.id into last
			from job j
			where j.unique_key = key and j.indexed_state <> 'failed' and (j.worker_id is not null or duplicates = 'run_again'
				or duplicates = 'merge' and (j.cancel_requested or exists (
					select from job_step s where s.job_id = j.id and s.name <> ''
					union all
					select from cancel_request c where c.job_id = j.id)));
			if not found then
				continue;
			end if;
		end if;

		insert into job_follow_up as f (unique_key, id, follows, run_at, priority, max_attempts, tolerance, unique_for, queue,
			type, payload, headers, limit_key, limit_units, enqueued_by)
		values (key, nextval('job_id_seq'), last, request.run_at, request.priority, request.max_attempts, request.tolerance,
			request.unique_for, request.queue, request.type, request.payload, request.headers, request.limit_key,
			request.limit_units, caller)
		on conflict (unique_key, follows) do nothing
		returning f.id, 'follow_up' into id, outcome;
		if found then
			if kept_for is not null then
				perform keep_key(key, enqueue_keyed.id, kept_for, request.limit_key);
			end if;
			return;
		end if;
	end loop;
	raise serialization_failure using
		message = format('the unique key %L was taken and freed 10 times while a job was enqueued', key),
		hint = 'Try again.';
end
$function$;

-- Keeps a unique key from now on for some time, whatever becomes of the job that has it.
create or replace function keep_key(unique_key text, job_id bigint, kept_for interval, limit_key text) returns void
	language plpgsql as $function$
#variable_conflict use_variable
begin
	insert into taken_key as t (unique_key, job_id, taken_until, limit_key, from_enqueue)
	values (unique_key, job_id, clock_timestamp() + kept_for, limit_key, true)
	on conflict on constraint taken_key_pkey do update
	set job_id = excluded.job_id, taken_until = excluded.taken_until, limit_key = excluded.limit_key;
end
$function$;

-- Moves the first follow-up of a key to the jobs if no other job has the key: exactly once, since both happen or neither.
-- Gives up soon if another transaction is storing a job with the key.
create or replace function release_follow_up(unique_key text) returns setof text
	language plpgsql set enable_seqscan = off set jit = off set lock_timeout = '10ms' as $function$
#variable_conflict use_column
declare
	next job_follow_up;
begin
	select * into next from job_follow_up f
	where f.unique_key = release_follow_up.unique_key
		and not exists (select from job j where j.unique_key = f.unique_key and j.indexed_state <> 'failed')
		and not exists (select from job_follow_up b where b.unique_key = f.unique_key and b.id < f.id)
	for update skip locked;
	if not found then
		return;
	end if;
	next.run_at := greatest(next.run_at, clock_timestamp()); -- behind the jobs that wait already
	insert into job (id, lease, attempt, deaths, leased_at, cancel_requested, last_error, queue, type, priority, max_attempts, unique_key,
		run_at, tolerance, unique_for, payload, headers, limit_key, limit_units, enqueued_by, created_at, order_at, state, tracked)
	values (next.id, coalesce(next.lease, 0), coalesce(next.attempt, 0), next.deaths, next.leased_at, coalesce(next.cancel_requested, false),
		next.last_error, next.queue, next.type, next.priority, next.max_attempts, next.unique_key, next.run_at,
		next.tolerance, next.unique_for, next.payload, next.headers, next.limit_key, next.limit_units, next.enqueued_by, next.created_at,
		deadline(next.run_at, next.tolerance), initial_state(next.run_at, next.limit_key),
		case when exists (select from job_on_failure o where o.job_id = next.id) then true end)
	on conflict (unique_key) where unique_key is not null and indexed_state <> 'failed' do nothing;
	if found then
		delete from job_follow_up f where f.id = next.id;
		return next next.queue;
	end if;
exception when lock_not_available then
	return;
end
$function$;

-- Moves the follow-ups whose turn has come. Maintenance calls it, so that the way in which a job ends does not matter.
create or replace function release_follow_ups(max_jobs integer) returns setof text
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
declare
	due text;
begin
	for due in
		select f.unique_key from job_follow_up f
		where not exists (select from job j where j.unique_key = f.unique_key and j.indexed_state <> 'failed')
		limit max_jobs
	loop
		return query select release_follow_up(due);
	end loop;
end
$function$;

call pin_search_path('enqueue_keyed', 'keep_key', 'release_follow_up', 'release_follow_ups');
