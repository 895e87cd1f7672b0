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
		insert into job_tag (job_id, name, value) select new_id, '', t from unnest(each.tags) as t on conflict do nothing;
		if due <= clock_timestamp() then
			queue := each.queue;
			limited := each.limit_key is not null;
			return next;
		end if;
	end loop;
end
$function$;
call pin_search_path('enqueue_on_failure');
