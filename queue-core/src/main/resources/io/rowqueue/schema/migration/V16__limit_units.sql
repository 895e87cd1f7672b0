insert into schema_version (version) values (16);
