-- The JSON text that escape_nul has changed.
create or replace function unescape_nul(content json) returns json
	language sql immutable
	return case when strpos(content::text, '\u001a') = 0 then content
		else regexp_replace(regexp_replace(content::text, '(?<!\\)((?:\\\\)*)\\u001a0', '\1\\u0000', 'g'),
			'(?<!\\)((?:\\\\)*)\\u001a1', '\1\\u001a', 'g')::json end;
