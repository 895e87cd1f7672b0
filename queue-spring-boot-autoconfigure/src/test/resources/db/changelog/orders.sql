--liquibase formatted sql

--changeset shop:1
create table orders (id bigint primary key);
