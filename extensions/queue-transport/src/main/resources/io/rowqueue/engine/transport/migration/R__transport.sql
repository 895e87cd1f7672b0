-- Moves jobs that wait to be published to job, where they are cancelled; not while a relay publishes them.
create or replace function on_cancel_transport(ids bigint[]) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
begin
	with unpublished as (
		delete from outbox o where o.ctid = any (array(
			select u.ctid from outbox u where u.id = any (ids) order by u.id for update skip locked))
		returning o.*)
	insert into job (id, run_at, order_at, created_at, state, max_attempts, queue, type, payload, headers)
	select u.id, u.created_at, u.created_at, u.created_at, 'queued', u.max_attempts, u.queue, u.type, u.payload, u.headers
	from unpublished u;
end
$function$;

-- A broker may deliver a job again after the crash of a consumer, for example: rows are kept for a day.
create or replace function on_retain_transport(ids bigint[]) returns boolean
	language plpgsql set enable_seqscan = off set jit = off as $function$
declare
	batch constant integer = 50000;
	deleted integer;
begin
	delete from parked p where p.ctid = any (array(
		select o.ctid from parked o where o.at < statement_timestamp() - interval '1 day' limit batch));
	get diagnostics deleted = row_count;
	return deleted = batch;
end
$function$;

create or replace function figures_transport() returns table (name text, queue text, state text, value double precision, text text)
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	return query
		select 'outbox.jobs', null, null, count(*)::double precision, null from (select from outbox limit 10000) bounded
		union all
		select 'outbox.age', null, null, extract(epoch from clock_timestamp() - oldest.created_at)::double precision, null
		from (select o.created_at from outbox o order by o.id limit 1) oldest;
end
$function$;

call pin_search_path('on_cancel_transport', 'on_retain_transport', 'figures_transport');

create or replace view unpublished_job as
	select o.id, o.queue, o.type, o.max_attempts, o.created_at, o.payload from outbox o;
