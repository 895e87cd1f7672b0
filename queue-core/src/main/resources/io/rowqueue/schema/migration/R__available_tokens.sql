-- The number of tokens for a claim. A claim that is a little late also gets the tokens that were added meanwhile, even beyond
-- the burst: up to one token, or those of 50 ms. Otherwise a bucket of one token would lose a part of its rate to the latency of
-- workers. After a longer pause there are at most as many tokens as the burst.
create or replace function available_tokens(rule job_limit, tokens double precision, tokens_at timestamptz, at timestamptz)
	returns double precision language plpgsql immutable as $function$
declare
	wide job_limit = rule;
	found_tokens double precision;
begin
	wide.burst := least(2147483647, rule.burst + greatest(1, ceil(rule.rate * 0.05 / extract(epoch from rule.rate_period))));
	found_tokens := tokens_now(wide, tokens, tokens_at, at);
	return case when found_tokens < wide.burst then found_tokens else rule.burst end;
end
$function$;
call pin_search_path('available_tokens');
