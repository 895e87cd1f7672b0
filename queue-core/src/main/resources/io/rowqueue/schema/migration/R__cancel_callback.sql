-- Cancels the callback of a batch that ended otherwise than the callback requires.
create or replace function cancel_callback(id bigint, batch bigint) returns void
	language plpgsql set enable_seqscan = off set jit = off as $function$
#variable_conflict use_column
begin
	update job j set last_error = format('Batch %s ended otherwise', cancel_callback.batch)
	where j.id = cancel_callback.id and j.state::text = 'blocked';
	if found then
		perform cancel_job(cancel_callback.id);
	end if;
end
$function$;
call pin_search_path('cancel_callback');
