-- Sends a signal to a job: see docs/waits.md.
create or replace function signal(job_id bigint, name text, payload json default null, wake_up boolean default true)
	returns text language plpgsql security definer as $function$
#variable_conflict use_column
declare
	sent record;
begin
	if job_id is null then
		raise invalid_parameter_value using message = 'signal: job_id must not be null';
	end if;
	if name is null or name !~ '\S' or length(name) > 200 then
		raise invalid_parameter_value using message = 'signal: name must have 1 to 200 characters and not be blank';
	end if;
	if octet_length(payload::text) > 16777216 then
		raise invalid_parameter_value using message = format('signal: the payload has %s bytes, and 16777216 are allowed',
			octet_length(payload::text));
	end if;
	select * into sent from send_signal(job_id, name, payload);
	if wake_up and sent.queue is not null then
		perform wake_up(sent.queue, sent.limited);
	end if;
	return sent.outcome;
end
$function$;
comment on function signal is 'Sends a signal to a job in the transaction of the caller';
revoke all on function signal from public;
call pin_search_path('signal');
