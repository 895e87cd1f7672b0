create table contact_import (
  id         bigint generated always as identity primary key,
  csv        text        not null,
  rows       integer,                            -- null until the file has been read
  done       integer     not null default 0,     -- rows whose job is over, refused ones included
  refused    integer     not null default 0,
  created_at timestamptz not null default now()
);

-- which rows are done: a job that runs a second time changes nothing
create table contact_import_row (
  import_id bigint  not null references contact_import (id),
  line      integer not null,
  error     text,                                -- why it was refused
  primary key (import_id, line)
);

create table contact (
  email     text primary key,
  name      text   not null,
  import_id bigint not null references contact_import (id)
);
