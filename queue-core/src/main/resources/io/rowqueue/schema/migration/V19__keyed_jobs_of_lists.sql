-- R__enqueue_keyed.sql has another parameter.

drop function if exists enqueue_keyed(job_request, text, interval, interval);

insert into schema_version (version) values (19);
