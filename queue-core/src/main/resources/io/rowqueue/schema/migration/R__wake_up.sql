-- Notifies the workers of a queue with the commit of the calling transaction; for a job with a limit key, on a separate
-- channel, the process that admits such jobs. PostgreSQL rejects a commit that notifies if its queue of notifications is full,
-- because a session that listens has had a transaction open for too long. Before that, the function stops notifying, and
-- workers find the jobs when they poll. Without a queue, it notifies the maintenance, which may be idle and not know of something
-- that has become due or will soon.
create or replace function wake_up(queue text, limited boolean default false) returns void language plpgsql as $function$
begin
	if pg_notification_queue_usage() < 0.9 then
		if queue is null then
			perform pg_notify(wake_up_channel() || '_deferred', '');
		elsif limited then
			perform pg_notify(wake_up_channel() || '_limited', '');
		else
			perform pg_notify(wake_up_channel(), queue);
		end if;
	end if;
end
$function$;

-- The channel of notifications. A notification must not fail the transaction that it belongs to, so there is always a channel.
create or replace function wake_up_channel() returns text language plpgsql stable as $function$
begin
	return coalesce((select c.name from notification_channel c where c.only_row), 'rowqueue');
end
$function$;
revoke all on function wake_up_channel from public;

call pin_search_path('wake_up', 'wake_up_channel');
