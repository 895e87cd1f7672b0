insert into owner (name, email) values
	('Ada Lovelace', 'ada@example.org'),
	('Alan Turing', 'alan@example.org'),
	('Grace Hopper', 'grace@example.org');

insert into pet (owner_id, name, species) values
	(1, 'Pixel', 'cat'),
	(1, 'Byte', 'dog'),
	(2, 'Enigma', 'parrot'),
	(3, 'Moth', 'hedgehog');
