create table users (
  id         bigint generated always as identity primary key,
  name       text        not null,
  email      text        not null,
  created_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));
