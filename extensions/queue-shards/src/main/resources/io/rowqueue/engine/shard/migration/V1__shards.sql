-- Several databases that are one queue. A database that is the only one of its queue has no rows in these tables.

-- Which shard this database is. Written once, when the database joins the queue.
create table shard_identity (
	number     smallint    primary key,
	name       text        not null,
	first_id   bigint      not null,                -- from this one on, ids of jobs, flows and batches contain the number
	joined_at  timestamptz not null default now(),
	constraint shard_identity_number check (number between 1 and 1023)
);
create unique index shard_identity_is_one on shard_identity ((true));
comment on table shard_identity is 'Which shard this database is; empty if it is the only one';

-- The numbers of all shards, in the home shard only. A number is never given to another name: the ids of jobs contain it.
create table shard (
	number     smallint    primary key,
	name       text        not null unique,
	joined_at  timestamptz not null default now(),
	constraint shard_number check (number between 1 and 1023)
);
comment on table shard is 'The numbers of all shards, in the home shard only';

-- The buckets of keys whose owner is not the home shard: in the shard that owns it, or that it was moved from. A bucket
-- without a row belongs to the home shard.
create table shard_bucket (
	bucket     smallint    primary key,
	state      text        not null,
	target     smallint,                            -- the shard that it was moved to
	since      timestamptz not null default clock_timestamp(),
	constraint shard_bucket_number check (bucket between 0 and 4095),
	constraint shard_bucket_state check (state in ('owned', 'leaving', 'gone')),
	constraint shard_bucket_target check ((state = 'owned') = (target is null))
);
comment on table shard_bucket is 'Buckets of keys that have been moved between shards';

create sequence shard_handover_batch_seq;

-- What has left this database for another shard, and is not known to have arrived there. Its number begins with the time: a
-- database that was restored to an older state, or that lost commits in a failover, must not give a number again, because the
-- other shard would take the handover for one that has arrived.
create table shard_handover (
	batch      bigint      primary key
		default (extract(epoch from clock_timestamp()) * 1000)::bigint * 1000 + nextval('shard_handover_batch_seq') % 1000,
	target     smallint    not null,
	buckets    smallint[]  not null,                -- those that it is all of; empty: jobs without keys
	at         timestamptz not null default clock_timestamp()
);
comment on table shard_handover is 'What has left this database and may not have arrived at another shard';

create table shard_handover_row (
	batch      bigint      not null,
	id         bigint      generated always as identity,
	relation   text        not null,                -- the table that the row was in
	content    json        not null,                -- the row
	primary key (batch, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
comment on table shard_handover_row is 'The rows that have left with a handover';

-- The handovers that have arrived here. A mover that repeats one finds it here.
create table shard_received (
	source      smallint    not null,
	batch       bigint      not null,
	received_at timestamptz not null default clock_timestamp(),
	primary key (source, batch)
);
comment on table shard_received is 'Handovers of other shards that have arrived';

insert into schema_version (part, version) values ('shards', 1);
