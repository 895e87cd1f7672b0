-- Operations: what people did to the queue.

create table operation (
	id         bigint      generated always as identity primary key,
	at         timestamptz not null default clock_timestamp(),
	who        text        not null,
	via        text        not null,                -- dashboard, endpoint, or an application's own
	address    text,                                -- where the request came from, as the server saw it
	action     text        not null,
	kind       text        not null,                -- jobs, queues, ...
	name       text        not null,                -- of what it was done to
	parameters jsonb       not null default '{}',   -- no payloads
	reason     text,
	state      text        not null default 'begun', -- what a crash leaves stays begun
	message    text,
	jobs       bigint,                              -- how many it was done to; null: does not apply
	ended_at   timestamptz,
	constraint operation_state check (state in ('begun', 'done', 'refused', 'failed'))
);
create index operation_of on operation (kind, name, id);

comment on table operation is 'What people did to the queue, and what became of it';

insert into schema_version (version) values (7);
