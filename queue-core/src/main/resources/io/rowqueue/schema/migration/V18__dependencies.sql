-- R__add_dependencies.sql has another parameter.

drop function if exists add_dependencies(bigint[], bigint[], text[]);

insert into schema_version (version) values (18);
