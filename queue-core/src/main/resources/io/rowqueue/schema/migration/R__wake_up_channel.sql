-- The channel of notifications. A notification must not fail the transaction that it belongs to, so there is always a channel.
create or replace function wake_up_channel() returns text language plpgsql stable as $function$
begin
	return coalesce((select c.name from notification_channel c where c.only_row), 'rowqueue');
end
$function$;
revoke all on function wake_up_channel from public;
call pin_search_path('wake_up_channel');
