-- Adds up the changes of batches, and finishes those whose jobs have all ended, exactly once: under the lock on their row, while
-- no transaction adds jobs. Returns the queues that have jobs to claim now, whether these have limit keys and are to be
-- admitted first, and a row of nulls if it is to be called again, after the given number of changes or 5000 batches.
create or replace function roll_up_batches(max_changes integer) returns table (queue text, limited boolean)
	language plpgsql set enable_seqscan = off set jit = off set lock_timeout = '100ms' as $function$
#variable_conflict use_column
declare
	next bigint;
	left_over integer = max_changes;
	counted integer = 0;
	done record;
	callback bigint;
begin
	for next in
		with recursive changed as (
			(select d.batch_id from batch_delta d order by d.batch_id limit 1)
			union all
			select next.batch_id from changed cross join lateral (
				select d.batch_id from batch_delta d where d.batch_id > changed.batch_id order by d.batch_id limit 1) next)
		select c.batch_id from changed c
	loop
		if left_over <= 0 or counted = 5000 then
			return next;
			return;
		end if;
		perform from batch b where b.id = next for no key update skip locked;
		continue when not found and exists (select from batch b where b.id = next);
		counted := counted + 1;
		with gone as (
			delete from batch_delta d
			where d.ctid = any (array(select l.ctid from batch_delta l where l.batch_id = next limit left_over))
			returning d.*)
		update batch b
		set total = b.total + s.total, succeeded = b.succeeded + s.succeeded, failed = b.failed + s.failed,
			cancelled = b.cancelled + s.cancelled
		from (select sum(g.total) as total, sum(g.succeeded) as succeeded, sum(g.failed) as failed,
			sum(g.cancelled) as cancelled, count(*) as changes from gone g) s
		where b.id = next and s.total is not null
		returning b.id, b.finished_at, b.closed_at, b.total, b.succeeded, b.failed, b.cancelled, s.changes into done;
		left_over := left_over - coalesce(done.changes, 0);
		continue when done.id is null or done.finished_at is not null or done.closed_at is null
			or done.total > done.succeeded + done.failed + done.cancelled;

		begin
			perform from batch b where b.id = next for update skip locked;
			if not found then
				insert into batch_delta (batch_id) values (next); -- a transaction is adding jobs: check again
				continue;
			end if;
			continue when exists (select from batch_delta d where d.batch_id = next);
			update batch b set finished_at = clock_timestamp() where b.id = next;
			for callback in -- those of a batch that ended otherwise
				select c.job_id from batch_callback c where c.batch_id = next
					and (c.event = 'success' and done.succeeded < done.total or c.event = 'failure' and done.failed = 0)
			loop
				update job j set last_error = format('Batch %s ended otherwise', next)
				where j.id = callback and j.state::text = 'blocked';
				if found then
					perform cancel_jobs(array[callback]);
				end if;
			end loop;
			return query select * from release_blocked(array(select c.job_id from batch_callback c where c.batch_id = next));
		exception when lock_not_available then
			insert into batch_delta (batch_id) values (next); -- a transaction is changing a callback: check again
		end;
	end loop;
end
$function$;

call pin_search_path('roll_up_batches');
