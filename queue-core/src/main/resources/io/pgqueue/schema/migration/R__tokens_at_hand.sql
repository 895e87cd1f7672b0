-- How many tokens a claim finds. One that comes a little late also finds the tokens that came meanwhile, though these are more than
-- the burst: up to one, or as many as come in 50 ms. Otherwise a bucket of one would lose a part of its rate to the latency of
-- workers. After a longer rest there is the burst and no more.
create or replace function tokens_at_hand(rule job_limit, tokens double precision, tokens_at timestamptz, at timestamptz)
	returns double precision language plpgsql immutable as $function$
declare
	wide job_limit = rule;
	found_tokens double precision;
begin
	wide.burst := rule.burst + greatest(1, ceil(rule.rate * 0.05 / extract(epoch from rule.rate_period)));
	found_tokens := tokens_now(wide, tokens, tokens_at, at);
	return case when found_tokens < wide.burst then found_tokens else rule.burst end;
end
$function$;
call pin_search_path('tokens_at_hand');
