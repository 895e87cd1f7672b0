-- Enqueues a job from SQL: see docs/sql.md. It runs with the privileges of its owner, so that a role that may call it needs
-- none on the tables.
create or replace function enqueue(type text, payload json default null, queue text default 'default',
		priority integer default 0, delay interval default null, run_at timestamptz default null,
		tolerance interval default null, max_attempts integer default null, unique_key text default null,
		unique_for interval default null, duplicates text default 'keep', wake_up boolean default true,
		limit_key text default null, after bigint[] default null, when_failed text default 'fail',
		expires_at timestamptz default null, tags text[] default null, headers json default null,
		unique_from_enqueue boolean default false, at_most interval default null, limit_units integer default 1,
		spread_over interval default null, unique_by_payload boolean default false)
	returns bigint language plpgsql security definer as $function$
#variable_conflict use_variable
declare
	max_delay constant interval = interval '365000 days';
	control constant text = '[\u0001-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]';
	due timestamptz;
	new_id bigint;
	outcome text = 'created';
	labels jsonb; -- the headers as they are stored
	waits boolean = coalesce(cardinality(after), 0) > 0;
	kept boolean; -- whether all succeeded jobs are
	wrong text;
	unknown bigint;
	caller text; -- the role that calls: this function itself runs as its owner
begin
	if unique_by_payload and unique_key is null then
		unique_key := payload_key(type, payload);
		unique_by_payload := false;
	end if;
	wrong := case
		when coalesce(type, '') !~ '\S' then 'type must be given: it names the work and with it the handler'
		when length(type) > 200 then format('type must have at most 200 characters, not %s', length(type))
		when type ~ control or queue ~ control or limit_key ~ control
			then case when type ~ control then 'type' when queue ~ control then 'queue' else 'limit_key' end
				|| ' must not contain control characters, line separators or characters that change the direction of text'
		when coalesce(queue, '') !~ '\S' then 'queue must not be null or blank; leave it out for ''default'''
		when length(queue) > 200 then format('queue must have at most 200 characters, not %s', length(queue))
		when octet_length(payload::text) > 16777216
			then format('payload must have at most 16777216 bytes, not %s', octet_length(payload::text))
		when priority is null then 'priority must not be null; leave it out for 0'
		when priority not between -32768 and 32767 then format('priority must be from -32768 to 32767, not %s', priority)
		when delay is not null and run_at is not null then 'give run_at or delay, not both'
		when delay not between interval '0' and max_delay then format('delay must be from 0 to 365000 days, not %s', delay)
		when run_at not between timestamptz 'epoch' and timestamptz 'epoch' + max_delay
			then format('run_at must be between 1970 and the year 2969, not %s; leave it out for now', run_at)
		when spread_over not between interval '0' and max_delay
			then format('spread_over must be from 0 to 365000 days, not %s', spread_over)
		when tolerance not between interval '0' and max_delay
			then format('tolerance must be from 0 to 365000 days, not %s', tolerance)
		when max_attempts not between 1 and 32767
			then format('max_attempts must be from 1 to 32767, not %s; leave it out for the worker''s default', max_attempts)
		when unique_by_payload is null or unique_by_payload and unique_key is not null
			then 'give unique_key or unique_by_payload, not both'
		when length(unique_key) > 500
			then format('unique_key must have at most 500 characters, not %s; a hash of it is shorter', length(unique_key))
		when unique_key !~ '\S' then 'unique_key must not be blank; leave it out for none'
		when limit_key !~ '\S' then 'limit_key must not be blank; leave it out for none'
		when length(limit_key) > 200 then format('limit_key must have at most 200 characters, not %s', length(limit_key))
		when limit_units is null or limit_units not between 1 and 10000
			then format('limit_units must be from 1 to 10000, not %s', coalesce(limit_units::text, 'null'))
		when limit_units > 1 and limit_key is null then 'limit_units needs a limit_key'
		when unique_for is not null and unique_key is null then 'unique_for needs a unique_key'
		when unique_for not between interval '0' and max_delay
			then format('unique_for must be from 0 to 365000 days, not %s', unique_for)
		when unique_from_enqueue is null or unique_from_enqueue and unique_for is null then 'unique_from_enqueue needs unique_for'
		when at_most is not null and coalesce(duplicates, '') <> 'replace' then 'at_most needs duplicates => ''replace'''
		when at_most not between interval '0' and max_delay then format('at_most must be from 0 to 365000 days, not %s', at_most)
		when coalesce(duplicates, '') not in ('keep', 'replace', 'run_again', 'reject')
			then format('duplicates must be keep, replace, run_again or reject, not %s', coalesce(duplicates, 'null'))
		when duplicates <> 'keep' and unique_key is null then 'duplicates needs a unique_key'
		when array_position(after, null) is not null then 'after must not contain null'
		when 0 >= any (after) then 'after must contain the ids of jobs, which are positive'
		when waits and unique_key is not null then 'a job that runs after others cannot have a unique_key: what is'
			|| ' found there would have to wait as well'
		when coalesce(when_failed, '') not in ('fail', 'run', 'wait')
			then format('when_failed must be fail, run or wait, not %s', coalesce(when_failed, 'null'))
		when when_failed <> 'fail' and not waits then 'when_failed needs after'
		when expires_at not between timestamptz 'epoch' and timestamptz 'epoch' + max_delay
			then format('expires_at must be between 1970 and the year 2969, not %s', expires_at)
		when tags is not null and cardinality(tags) > 20 then 'a job has at most 20 tags'
		when tags is not null and exists (select from unnest(tags) t where coalesce(t, '') !~ '\S' or length(t) > 200 or t ~ control)
			then 'tags must have from 1 to 200 characters, and no control characters'
		when headers is not null and json_typeof(headers) <> 'object' then 'headers must be a JSON object'
	end;
	if wrong is null and headers is not null then
		wrong := case
			when (select count(*) from json_object_keys(headers)) > 20 then 'a job has at most 20 headers of its own'
			when exists (select from json_each(headers) h where json_typeof(h.value) <> 'string' or length(h.key) not between 1 and 100
				or length(headers ->> h.key) > 400) then 'headers must be texts of at most 400 characters, with names of at most 100'
			when exists (select from json_object_keys(headers) k
				where k in ('window', 'expires-at', 'tags', 'schedule', 'due-at', 'unreadable', 'failed-job', 'fairness-key')) then 'a name in headers is reserved'
		end;
	end if;
	if wrong is not null then
		raise invalid_parameter_value using message = 'enqueue: ' || wrong;
	end if;

	if expires_at is not null or cardinality(tags) > 0 or headers is not null then
		labels := coalesce(headers::jsonb, '{}')
			|| case when expires_at is null then '{}' else jsonb_build_object('expires-at',
				to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) end
			|| case when coalesce(cardinality(tags), 0) = 0 then '{}'
				else jsonb_build_object('tags', array_to_string(tags, E'\n')) end;
	end if;
	limit_units := nullif(limit_units, 1);
	due := coalesce(run_at, clock_timestamp() + coalesce(delay, interval '0')) + coalesce(random() * spread_over, interval '0');
	tolerance := nullif(tolerance, interval '0');
	if unique_key is not null then
		caller := coalesce(nullif(current_setting('role'), 'none'), session_user);
		if has_table_privilege(caller, 'job', 'update') then
			caller := null; -- this role could change any job anyway
		end if;
		select k.id, k.outcome into new_id, outcome
		from enqueue_keyed(row(queue, type, priority::smallint, max_attempts::smallint, unique_key, due, tolerance,
			case when unique_from_enqueue then null else nullif(unique_for, interval '0') end, payload, labels::json, limit_key,
			limit_units::smallint, caller)::job_request, case duplicates when 'reject' then 'keep' else duplicates end, case when unique_from_enqueue then nullif(unique_for, interval '0') end, at_most) k;
		if duplicates = 'reject' and outcome <> 'created' then
			raise unique_violation using message = format('enqueue: job %s already has the unique key %L', new_id, unique_key);
		end if;
	else
		if waits then
			-- a worker whose application does not keep all succeeded jobs declares it
			kept := not exists (select from worker w where 'history:partial' = any (w.declarations));
			unknown := find_unknown_predecessor(after, kept);
			if unknown is not null then
				raise invalid_parameter_value using message = format('enqueue: there is no job %s to run after: its enqueue is'
					' not committed, or was rolled back, or it has been over for longer than such jobs are kept', unknown);
			end if;
		end if;
		insert into job as j (id, queue, type, priority, max_attempts, run_at, tolerance, payload, headers, limit_key,
			limit_units, order_at, state, tracked)
		values (nextval('job_id_seq'), queue, type, priority, max_attempts, due, tolerance, payload, labels::json, limit_key,
			limit_units, deadline(due, tolerance), case when waits then 'blocked' else initial_state(due, limit_key) end,
			case when waits then true end)
		returning j.id into new_id;
	end if;
	if labels is not null and outcome in ('created', 'replaced', 'follow_up') then
		if expires_at is not null then
			insert into job_expiry as e (job_id, expires_at) values (new_id, expires_at)
			on conflict (job_id) do update set expires_at = excluded.expires_at;
		end if;
		insert into job_tag (job_id, name, value)
		select new_id, '', t from unnest(tags) as t
		union all
		select new_id, h.key, h.value from json_each_text(headers) h
		on conflict do nothing;
	end if;
	if waits then
		perform add_dependencies(after, array_fill(new_id, array[cardinality(after)]),
			array_fill(when_failed, array[cardinality(after)]), kept);
		select j.state <> 'queued' into waits from job j where j.id = new_id;
	end if;
	if wake_up and outcome in ('created', 'replaced', 'follow_up') then
		-- PostgreSQL sends equal notifications of a transaction once
		perform wake_up(case when not waits and due <= clock_timestamp() and outcome <> 'follow_up' then queue end,
			limit_key is not null);
	end if;
	return new_id;
end
$function$;
comment on function enqueue is 'Enqueues a job in the transaction of the caller';
revoke all on function enqueue from public;

-- Enqueues a job for each payload, all with the same options, and returns how many: see docs/sql.md. The first one is enqueued as a
-- single one; the others are copies of its rows, each due a part of spread_over later than the one before.
create or replace function enqueue_all(type text, payloads json[], queue text default 'default', priority integer default 0,
		delay interval default null, run_at timestamptz default null, tolerance interval default null,
		max_attempts integer default null, wake_up boolean default true, limit_key text default null,
		expires_at timestamptz default null, tags text[] default null, headers json default null, limit_units integer default 1,
		spread_over interval default null)
	returns bigint language plpgsql security definer as $function$
declare
	jobs constant bigint = coalesce(cardinality(payloads), 0);
	bytes integer = (select max(octet_length(p::text)) from unnest(payloads) as p);
	first_id bigint;
begin
	if bytes > 16777216 then
		raise invalid_parameter_value using message = format('enqueue: payload must have at most 16777216 bytes, not %s', bytes);
	elsif jobs = 0 then
		return 0;
	elsif spread_over not between interval '0' and interval '365000 days' then
		raise invalid_parameter_value using message = format('enqueue: spread_over must be from 0 to 365000 days, not %s', spread_over);
	end if;
	first_id := enqueue(type, (select p from unnest(payloads) as p limit 1), queue, priority, delay, run_at, tolerance, max_attempts,
		wake_up => wake_up, limit_key => limit_key, expires_at => expires_at, tags => tags, headers => headers,
		limit_units => limit_units);
	with stored as (
		insert into job (queue, type, priority, max_attempts, run_at, tolerance, payload, headers, limit_key, limit_units, order_at,
			state)
		select j.queue, j.type, j.priority, j.max_attempts, d.due, j.tolerance, p, j.headers, j.limit_key, j.limit_units,
			deadline(d.due, j.tolerance), case when d.due = j.run_at then j.state else initial_state(d.due, j.limit_key) end
		from job j cross join unnest(payloads) with ordinality as u (p, place)
			cross join lateral (
				select j.run_at + coalesce(spread_over * ((place - 1)::float8 / jobs), interval '0') as due) d
		where j.id = first_id and place > 1
		returning id),
	expiry as (
		insert into job_expiry (job_id, expires_at)
		select s.id, e.expires_at from stored s cross join job_expiry e where e.job_id = first_id)
	insert into job_tag (job_id, name, value)
	select s.id, t.name, t.value from stored s cross join job_tag t where t.job_id = first_id;
	return jobs;
end
$function$;
comment on function enqueue_all is 'Enqueues jobs in the transaction of the caller, one for each payload';
revoke all on function enqueue_all from public;

-- Enqueues a plain job that is due, leased to a worker of the caller's process, which starts it after the commit. The job is
-- queued instead if a claim could not take it now, and where a lease could outlive what the caller sees: in a snapshot of
-- the whole transaction, which may be older than a pause, and inside a savepoint, which may be rolled back alone. A role
-- that may only insert jobs queues them.
create or replace function enqueue_leased(worker bigint, queue text, type text, priority smallint, max_attempts smallint,
		headers json, payload json, out added job, out claim_id bigint)
	language plpgsql as $function$
#variable_conflict use_variable
declare
	job_id constant bigint = nextval('job_id_seq');
	holder bigint;
	outermost boolean;
begin
	if current_setting('transaction_isolation') = 'read committed' and has_table_privilege('claim', 'insert')
		and has_table_privilege('claim', 'delete') and has_table_privilege('worker', 'select') and has_table_privilege('pause', 'select')
		and has_table_privilege('job_limit', 'select')
	then
		select w.id into holder from worker w
		where w.id = worker and w.dead_at is null
			and not exists (
				select from pause p
				where (p.kind, p.name) in (('queue', queue), ('queue', queue_class(queue)), ('type', type)) and is_closed(p))
			and not exists (
				select from job_limit l
				where (l.kind, l.name) in (('queue', queue), ('queue', queue_class(queue)), ('type', type)));
	end if;
	if holder is not null then
		insert into claim (worker_id, job_ids) values (holder, array[job_id])
		returning claim.id, claim.xmin = pg_current_xact_id()::xid into claim_id, outermost;
		if not outermost then
			delete from claim c where c.worker_id = holder and c.id = claim_id;
			holder := null;
			claim_id := null;
		end if;
	end if;
	insert into job as j (id, queue, type, priority, max_attempts, headers, payload, run_at, order_at, state, attempt, lease,
		worker_id, leased_at)
	values (job_id, queue, type, priority, max_attempts, headers, payload, statement_timestamp(), statement_timestamp(),
		case when holder is null then 'queued' else 'starting' end::job_state, (holder is not null)::integer,
		(holder is not null)::integer, holder, case when holder is not null then clock_timestamp() end)
	returning j.* into added;
end
$function$;

-- The unique key of a job that is unique by its payload: io.rowqueue.engine.codec.PayloadKey derives the same one. The text of jsonb
-- has its properties in one order, and numbers without exponents; what remains are trailing zeros, outside of strings.
create or replace function payload_key(type text, payload json) returns text
	language sql immutable
	return 'payload:' || encode(sha256(convert_to(type || E'\n' || regexp_replace(coalesce(payload::jsonb, 'null')::text,
		'("(?:[^"\\]|\\.)*")|(\.\d*[1-9])0*|\.0+(?!\d)', '\1\2', 'g'), 'UTF8')), 'hex');

-- The deadline of a job, which decides its place in its lane (job.order_at).
create or replace function deadline(run_at timestamptz, tolerance interval) returns timestamptz
	language sql stable
	return run_at + coalesce(tolerance, interval '0');

-- The state of a new job: queued if it is due, unless the limit of its key decides about that. The planner inlines the
-- function, as each one of this form.
create or replace function initial_state(run_at timestamptz, limit_key text) returns job_state
	language sql volatile
	return (case when run_at <= clock_timestamp() and limit_key is null then 'queued' else 'scheduled' end)::job_state;

call pin_search_path('enqueue', 'enqueue_all', 'enqueue_leased');
