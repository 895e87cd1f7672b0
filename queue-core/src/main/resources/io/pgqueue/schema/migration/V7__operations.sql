-- The record of administrative operations.

create table operation (
	id         bigint      generated always as identity primary key,
	at         timestamptz not null default clock_timestamp(),
	who        text        not null,
	via        text        not null,                -- dashboard, endpoint, or a name chosen by the application
	address    text,                                -- the address of the client, as seen by the server
	action     text        not null,
	kind       text        not null,                -- jobs, queues, ...
	name       text        not null,                -- the id or name of the target
	parameters jsonb       not null default '{}',   -- no payloads
	reason     text,
	state      text        not null default 'begun', -- remains begun after a crash
	message    text,
	jobs       bigint,                              -- the number of affected jobs; null: not applicable
	ended_at   timestamptz,
	constraint operation_state check (state in ('begun', 'done', 'refused', 'failed'))
);
create index operation_of on operation (kind, name, id);

comment on table operation is 'Administrative operations and their outcomes';

insert into schema_version (version) values (7);
