-- Notes what an enqueue asked for if a unique key is taken, for the shard that the job is handed over to. Only an outbox does so.
-- Of two enqueues of the same job, the one that changes more counts.
create or replace function note_policy(job_id bigint, duplicates text, kept_for interval, at_most interval) returns void
	language plpgsql as $function$
#variable_conflict use_variable
begin
	if not exists (select from shard_identity i where i.outbox) then
		return;
	end if;
	if duplicates not in ('keep', 'replace', 'run_again') then
		raise invalid_parameter_value using
			message = format('an outbox cannot apply the policy for duplicates %L', duplicates),
			detail = 'Whether the unique key is taken shows when the job arrives in another shard.',
			hint = 'Keep, replace or run again, in the request or in the declaration of its type, or enqueue the job outside of'
				' transactions of the outbox.';
	end if;
	insert into shard_policy as p (job_id, duplicates, kept_for, at_most) values (job_id, duplicates, kept_for, at_most)
	on conflict on constraint shard_policy_pkey do update
	set duplicates = case when 'replace' in (p.duplicates, excluded.duplicates) then 'replace'
			when 'run_again' in (p.duplicates, excluded.duplicates) then 'run_again' else 'keep' end,
		kept_for = coalesce(excluded.kept_for, p.kept_for), at_most = coalesce(excluded.at_most, p.at_most);
end
$function$;
call pin_search_path('note_policy');
