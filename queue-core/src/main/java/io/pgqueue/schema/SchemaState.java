package io.pgqueue.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * The state of the queue's schema and the privileges of the current role.
 *
 * @param role the role of the connection
 * @param database the name of the database
 * @param readOnly whether the server or the connection is read-only
 * @param mayCreateSchema whether the role may create schemas
 * @param exists whether the schema exists
 * @param mayUse whether the role may use the schema
 * @param mayCreateTables whether the role may create tables in the schema
 * @param publicMayCreate whether all roles may create functions and tables in the schema
 * @param hasVersion whether the schema contains a table schema_version
 * @param holdsOthers whether the schema contains tables, views or functions that do not
 * belong to the queue; not determined if there is a version
 * @param mayReadVersion whether the role may read the version
 * @param missingPrivileges the privileges on the queue's tables, views, sequences and
 * functions that the role lacks, such as "INSERT on job"
 */
record SchemaState(String role, String database, boolean readOnly, boolean mayCreateSchema, boolean exists,
		boolean mayUse, boolean mayCreateTables, boolean publicMayCreate, boolean hasVersion, boolean holdsOthers,
		boolean mayReadVersion, List<String> missingPrivileges) {

	/** Reads only catalogs that all roles may read. */
	private static final String SQL = """
			select current_user, current_database(), current_setting('transaction_read_only')::boolean,
			       has_database_privilege(current_database(), 'CREATE'),
			       n.oid is not null,
			       coalesce(has_schema_privilege(n.oid, 'USAGE'), false),
			       coalesce(has_schema_privilege(n.oid, 'CREATE'), false),
			       coalesce(has_schema_privilege('public', n.oid, 'CREATE'), false),
			       v.oid is not null,
			       v.oid is null and (exists (select from pg_class o where o.relnamespace = n.oid)
			                          or exists (select from pg_proc o where o.pronamespace = n.oid)),
			       coalesce(has_table_privilege(v.oid, 'SELECT'), false),
			       array(select p.privilege || ' on ' || t.relname
			               from pg_class t, (values ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE')) p (privilege)
			              where t.relnamespace = n.oid and t.relkind in ('r', 'p') and not t.relispartition
			                and t.relname not in ('schema_version', 'pgqueue_schema_history', 'tally', 'gauge', 'process', 'error_group')
			                and (p.privilege = 'SELECT' or t.relname <> 'notification_channel')
			                and not has_table_privilege(t.oid, p.privilege)
			              order by t.relname, p.privilege)
			       || array(select 'SELECT on ' || t.relname from pg_class t
			              where t.relnamespace = n.oid and t.relkind = 'v' and t.relname = any (?)
			                and not has_table_privilege(t.oid, 'SELECT') order by 1)
			       || array(select 'USAGE on ' || t.relname from pg_class t
			              where t.relnamespace = n.oid and t.relkind = 'S' and t.relname = 'job_id_seq'
			                and not has_sequence_privilege(t.oid, 'USAGE'))
			       || array(select distinct 'EXECUTE on ' || f.proname from pg_proc f
			              where f.pronamespace = n.oid and f.proname = any (?)
			                and not has_function_privilege(f.oid, 'EXECUTE') order by 1)
			  from (values (?::text)) s (name)
			  left join pg_namespace n on n.nspname = s.name
			  left join pg_class v on v.relnamespace = n.oid and v.relname = 'schema_version' and v.relkind = 'r'
			""";

	static SchemaState read(Connection connection, SchemaName schema) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(SQL)) {
			statement.setArray(1, connection.createArrayOf("text", Migration.names("view").toArray()));
			statement.setArray(2, connection.createArrayOf("text", Migration.names("function").toArray()));
			statement.setString(3, schema.value());
			try (ResultSet row = statement.executeQuery()) {
				row.next();
				String[] missing = (String[]) row.getArray(12).getArray();
				return new SchemaState(row.getString(1), row.getString(2), row.getBoolean(3), row.getBoolean(4),
						row.getBoolean(5), row.getBoolean(6), row.getBoolean(7), row.getBoolean(8), row.getBoolean(9),
						row.getBoolean(10), row.getBoolean(11), List.of(missing));
			}
		}
	}

	/**
	 * Returns the installed version, or 0 for none. Requires that the role may read it.
	 */
	int version(Connection connection, SchemaName schema) throws SQLException {
		if (!this.hasVersion) {
			return 0;
		}
		String sql = "select coalesce(max(version), 0) from " + schema.quoted() + ".schema_version";
		try (PreparedStatement statement = connection.prepareStatement(sql); ResultSet row = statement.executeQuery()) {
			row.next();
			return row.getInt(1);
		}
	}

}
