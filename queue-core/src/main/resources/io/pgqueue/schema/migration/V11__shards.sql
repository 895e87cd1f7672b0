-- Several databases that are one queue. A database that is the only one of its queue has no rows in these tables.

-- Which shard this database is. Written once, when the database joins the queue.
create table shard_identity (
	number     smallint    not null,
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
	constraint shard_bucket_state check (state in ('owned', 'leaving', 'arriving', 'gone')),
	constraint shard_bucket_target check ((state in ('leaving', 'gone')) = (target is not null))
);
comment on table shard_bucket is 'Buckets of keys that have been moved between shards';
