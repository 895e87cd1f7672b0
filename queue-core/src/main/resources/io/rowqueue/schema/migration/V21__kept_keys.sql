-- A unique key that stays taken moves with the limit key of its jobs, which decides where they are stored.

alter table taken_key
	add column limit_key text;                      -- of the job; null: none, or it took the key before there was this column

insert into schema_version (version) values (21);
