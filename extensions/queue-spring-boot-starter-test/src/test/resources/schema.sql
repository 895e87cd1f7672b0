create table if not exists book_order (id bigint generated always as identity primary key, customer text not null);
create table if not exists invoice (book_order bigint primary key, lines integer not null);
