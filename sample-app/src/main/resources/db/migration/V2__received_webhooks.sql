create table received_webhook (
  id          text primary key,
  body        text        not null,
  received_at timestamptz not null default now()
);
