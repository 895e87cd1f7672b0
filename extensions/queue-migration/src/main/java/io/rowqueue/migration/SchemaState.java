package io.rowqueue.migration;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rowqueue.schema.SchemaName;
import io.rowqueue.schema.SchemaPart;

/**
 * The state of the queue's schema and the privileges of the current role.
 *
 * @param role the role of the connection
 * @param database the name of the database
 * @param escapes whether backslashes are escapes in all texts
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
 * @param hiddenTables the queue's tables whose rows row-level security hides from the
 * role; not those with a policy for it that shows all rows
 * @param missingObjects the tables, views, functions and sequences of the newest version
 * that are not there, such as "job", or that are something else, such as "job (a view)"
 * @param missingPrivileges the privileges on the queue's tables, views, sequences and
 * functions that the role lacks, such as "INSERT on job"
 */
record SchemaState(String role, String database, boolean escapes, boolean readOnly, boolean mayCreateSchema,
		boolean exists, boolean mayUse, boolean mayCreateTables, boolean publicMayCreate, boolean hasVersion,
		boolean holdsOthers, boolean mayReadVersion, List<String> hiddenTables, List<String> missingObjects,
		List<String> missingPrivileges) {

	private static final int COLUMNS = 15;

	/** For the transaction of the statement that is sent with it. */
	private static final String SETTINGS = "select set_config('lock_timeout', '5s', true),"
			+ " set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),"
			+ " set_config('jit', 'off', true); ";

	private static final String VERSIONS = """
			select coalesce(array_agg(i.part || ':' || i.version), '{}')
			from (select part, coalesce(max(version), 0) as version from %s.schema_version group by part) i""";

	/** Reads only catalogs that all roles may read. */
	private static final String SQL = """
			select current_user, current_database(), not current_setting('standard_conforming_strings')::boolean,
			       current_setting('transaction_read_only')::boolean,
			       has_database_privilege(current_database(), 'CREATE'),
			       n.oid is not null,
			       coalesce(has_schema_privilege(n.oid, 'USAGE'), false),
			       coalesce(has_schema_privilege(n.oid, 'CREATE'), false),
			       coalesce(has_schema_privilege('public', n.oid, 'CREATE'), false),
			       v.oid is not null,
			       v.oid is null and (exists (select from pg_class o where o.relnamespace = n.oid)
			                          or exists (select from pg_proc o where o.pronamespace = n.oid)),
			       coalesce(has_table_privilege(v.oid, 'SELECT'), false),
			       array(select t.relname from pg_class t
			              where t.relnamespace = n.oid and t.relkind in ('r', 'p') and t.relname = any (q.tables)
			                and row_security_active(t.oid)
			                and (exists (select from pg_policy p where p.polrelid = t.oid and not p.polpermissive)
			                     or not exists (
			                       select from pg_policy p
			                        where p.polrelid = t.oid and p.polpermissive and p.polcmd = '*'
			                          and pg_get_expr(p.polqual, p.polrelid) = 'true'
			                          and coalesce(pg_get_expr(p.polwithcheck, p.polrelid), 'true') = 'true'
			                          and exists (select from unnest(p.polroles) r (oid)
			                                       where r.oid = 0 or pg_has_role(r.oid, 'USAGE'))))
			              order by 1),
			       array(select e.name || coalesce(
			                      (select case t.relkind when 'v' then ' (a view)' when 'm' then ' (a materialized view)'
			                                when 'f' then ' (a foreign table)' else ' (something else)' end
			                         from pg_class t where t.relnamespace = n.oid and t.relname = e.name), '')
			               from (select unnest(q.tables), array['r', 'p'] union all select unnest(q.views), array['v']
			                     union all select unnest(q.sequences), array['S']) e (name, kinds)
			              where not exists (select from pg_class t where t.relnamespace = n.oid and t.relname = e.name
			                                   and t.relkind::text = any (e.kinds))
			              order by 1)
			       || array(select f.name from unnest(q.functions) f (name)
			              where not exists (select from pg_proc p where p.pronamespace = n.oid and p.proname = f.name)
			              order by 1),
			       array(select p.privilege || ' on ' || t.relname
			               from pg_class t, (values ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE')) p (privilege)
			              where t.relnamespace = n.oid and t.relkind in ('r', 'p') and not t.relispartition
			                and t.relname = any (q.tables) and t.relname <> 'schema_version' and t.relname <> all (q.optional)
			                and (p.privilege = 'SELECT' or t.relname not in ('notification_channel', 'job_table'))
			                and not has_table_privilege(t.oid, p.privilege)
			              order by t.relname, p.privilege)
			       || array(select 'SELECT on ' || t.relname from pg_class t
			              where t.relnamespace = n.oid and t.relkind = 'v' and t.relname = any (q.views)
			                and not has_table_privilege(t.oid, 'SELECT') order by 1)
			       || array(select 'USAGE on ' || t.relname from pg_class t
			              where t.relnamespace = n.oid and t.relkind = 'S' and t.relname = 'job_id_seq'
			                and not has_sequence_privilege(t.oid, 'USAGE'))
			       || array(select distinct 'EXECUTE on ' || f.proname from pg_proc f
			              where f.pronamespace = n.oid and f.proname = any (q.functions)
			                and not has_function_privilege(f.oid, 'EXECUTE') order by 1)
			  from (values (?::text, ?::text[], ?::text[], ?::text[], ?::text[], ?::text[]))
			    q (name, tables, views, sequences, functions, optional)
			  left join pg_namespace n on n.nspname = q.name
			  left join pg_class v on v.relnamespace = n.oid and v.relname = 'schema_version' and v.relkind = 'r'
			""";

	static SchemaState read(Connection connection, SchemaName schema) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(SQL)) {
			setNames(statement, schema);
			try (ResultSet row = statement.executeQuery()) {
				row.next();
				return of(row);
			}
		}
	}

	/**
	 * Returns whether there is nothing to create, to upgrade, to advance and to object to
	 * or to warn of, in one round trip. Fails where a table does not exist.
	 */
	static boolean isUsable(Connection connection, SchemaName schema) throws SQLException {
		IdSequences sequences = new IdSequences(connection, schema);
		String sql = SETTINGS + "select s.*, (" + VERSIONS.formatted(schema.quoted()) + "), " + sequences.anyBehind()
				+ " from (" + SQL + ") s";
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			setNames(statement, schema);
			statement.execute();
			statement.getMoreResults();
			try (ResultSet row = statement.getResultSet()) {
				row.next();
				SchemaVersions versions = versions(row, COLUMNS + 1);
				return of(row).isUsable() && versions.older().isEmpty() && versions.newer().isEmpty()
						&& !row.getBoolean(COLUMNS + 2);
			}
		}
	}

	private static void setNames(PreparedStatement statement, SchemaName schema) throws SQLException {
		Connection connection = statement.getConnection();
		statement.setString(1, schema.value());
		statement.setArray(2, texts(connection, SchemaPart.names("table")));
		statement.setArray(3, texts(connection, SchemaPart.names("view")));
		statement.setArray(4, texts(connection, IdSequences.names()));
		statement.setArray(5, texts(connection, SchemaPart.names("function")));
		statement.setArray(6, texts(connection,
				SchemaPart.all().stream().flatMap((part) -> part.optionalTables().stream()).toList()));
	}

	private static SchemaState of(ResultSet row) throws SQLException {
		return new SchemaState(row.getString(1), row.getString(2), row.getBoolean(3), row.getBoolean(4),
				row.getBoolean(5), row.getBoolean(6), row.getBoolean(7), row.getBoolean(8), row.getBoolean(9),
				row.getBoolean(10), row.getBoolean(11), row.getBoolean(12), texts(row, 13), texts(row, 14),
				texts(row, COLUMNS));
	}

	private boolean isUsable() {
		return !this.escapes && !this.readOnly && this.mayUse && this.mayReadVersion && !this.publicMayCreate
				&& this.hiddenTables.isEmpty() && this.missingObjects.isEmpty() && this.missingPrivileges.isEmpty();
	}

	private static Array texts(Connection connection, List<String> values) throws SQLException {
		return connection.createArrayOf("text", values.toArray());
	}

	private static List<String> texts(ResultSet row, int column) throws SQLException {
		return List.of((String[]) row.getArray(column).getArray());
	}

	/** Returns the installed versions. Requires that the role may read them. */
	SchemaVersions versions(Connection connection, SchemaName schema) throws SQLException {
		if (!this.hasVersion) {
			return SchemaVersions.NONE;
		}
		try (PreparedStatement statement = connection.prepareStatement(VERSIONS.formatted(schema.quoted()));
				ResultSet row = statement.executeQuery()) {
			row.next();
			return versions(row, 1);
		}
	}

	private static SchemaVersions versions(ResultSet row, int column) throws SQLException {
		Map<String, Integer> versions = new HashMap<>();
		for (String part : texts(row, column)) {
			int colon = part.lastIndexOf(':');
			versions.put(part.substring(0, colon), Integer.parseInt(part.substring(colon + 1)));
		}
		return new SchemaVersions(versions);
	}

}
