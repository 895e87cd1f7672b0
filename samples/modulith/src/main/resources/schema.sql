create table if not exists orders (id bigint generated always as identity primary key, customer text not null);
create table if not exists mail (order_id bigint primary key);
create table if not exists point (order_id bigint primary key, customer text not null);
create table if not exists shipment (order_id bigint primary key, picked_up_at timestamptz);
