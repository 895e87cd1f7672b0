create table if not exists orders (
	id bigint generated always as identity primary key,
	email text not null,
	cake text not null,
	receipt text,
	placed_at timestamptz not null default now()
);
