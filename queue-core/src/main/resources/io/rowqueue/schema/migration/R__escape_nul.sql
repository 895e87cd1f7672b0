-- A JSON text whose strings PostgreSQL can read: it stores the escape sequence of NUL, but no function reads a text that contains it.
-- SUB, which JSON contains only as an escape sequence as well, stands before it and before itself.
create or replace function escape_nul(content json) returns json
	language sql immutable
	return case when strpos(content::text, '\u00') = 0 then content
		else regexp_replace(regexp_replace(content::text, '(?<!\\)((?:\\\\)*)\\u001a', '\1\\u001a1', 'gi'),
			'(?<!\\)((?:\\\\)*)\\u0000', '\1\\u001a0', 'g')::json end;
