package io.rowqueue.migration;

/**
 * Everything that the catalogs say about the queue's schema, as text: two schemas with
 * the same text are the same.
 */
final class SchemaDescription {

	private static final String SQL = """
			with object as (
				select c.oid, c.relname, c.relkind, c.relacl, c.relowner, c.reloptions, c.relpersistence, c.relreplident
				from pg_class c
				where c.relnamespace = 'rowqueue'::regnamespace and not c.relispartition
					and c.relname not like 'rowqueue\\_schema\\_history%'),
			line as (
				select concat_ws(' ', o.relkind, o.relname, o.reloptions, o.relpersistence, o.relreplident,
					replace(o.relacl::text, pg_get_userbyid(o.relowner), 'owner'), obj_description(o.oid, 'pg_class')) as text
				from object o
				union all
				select concat_ws(' ', 'column', o.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
					a.attnotnull, a.attstorage, a.attgenerated, a.attidentity, pg_get_expr(d.adbin, d.adrelid))
				from object o join pg_attribute a on a.attrelid = o.oid and a.attnum > 0
				left join pg_attrdef d on d.adrelid = o.oid and d.adnum = a.attnum
				union all
				select pg_get_indexdef(o.oid) from object o where o.relkind in ('i', 'I')
				union all
				select concat_ws(' ', 'view', o.relname, pg_get_viewdef(o.oid)) from object o where o.relkind = 'v'
				union all
				select concat_ws(' ', o.relname, c.conname, pg_get_constraintdef(c.oid))
				from object o join pg_constraint c on c.conrelid = o.oid
				union all
				select concat_ws(' ', pg_get_functiondef(p.oid), replace(p.proacl::text, pg_get_userbyid(p.proowner), 'owner'),
					obj_description(p.oid, 'pg_proc'))
				from pg_proc p where p.pronamespace = 'rowqueue'::regnamespace
				union all
				select concat_ws(' ', 'enum', e.enumlabel, e.enumsortorder)
				from pg_enum e join pg_type t on t.oid = e.enumtypid where t.typnamespace = 'rowqueue'::regnamespace
				union all
				select concat_ws(' ', 'task', name) from rowqueue.maintenance_task
				union all
				select concat_ws(' ', 'version', part, version) from rowqueue.schema_version)
			select string_agg(text, E'\\n' order by text collate "C") from line""";

	private SchemaDescription() {
	}

	static String of(TestDatabase database) {
		return database.query(SQL);
	}

}
