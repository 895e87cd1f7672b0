package io.rowqueue.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

/** The tables of the queue of a test. */
public final class QueueTables {

	private QueueTables() {
	}

	/**
	 * Deletes what was ever written to the tables: new files for all of them take much
	 * longer than most tests, so that only large ones get them. What migrations wrote
	 * stays. Fails after a minute if an earlier test has left a transaction open.
	 * @param dataSource leads to the database
	 * @param restartIdentity whether the ids begin at one again
	 * @param newFiles whether all tables get new files, without a dead row
	 * @param kept tables that are left as they are
	 */
	public static void empty(DataSource dataSource, boolean restartIdentity, boolean newFiles, String... kept) {
		try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
			statement.execute(
					"""
							do $$ declare written regclass[]; holders text; each regclass; begin
								-- a table was created after those that it refers to
								select array_agg(oid::regclass order by oid desc) into written from pg_class
								where relnamespace = 'rowqueue'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
									and relname not in ('schema_version', 'job_table', 'maintenance_task', 'notification_channel')
									and not starts_with(relname, 'rowqueue_schema_history') and relname <> all ('{%s}');
								if written is not null then
									perform set_config('lock_timeout', '60s', true);
									execute 'lock table ' || array_to_string(written, ', ');
									foreach each in array written loop
										if %s or pg_relation_size(each) > 65536 then
											execute 'truncate ' || each || ' cascade';
										else
											execute 'delete from ' || each;
										end if;
									end loop;
								end if;
								if %s then
									perform setval(seqrelid, seqstart, false) from pg_sequence
									where seqrelid::regclass::text like 'rowqueue.%%';
								end if;
							exception when lock_not_available then
								select string_agg(concat_ws(' ', pid, state, 'since', state_change, query), '; ') into holders
								from pg_stat_activity
								where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null;
								raise exception 'transactions of an earlier test are open: %%', holders;
							end $$"""
						.formatted(String.join(",", kept), newFiles, restartIdentity));
		}
		catch (SQLException ex) {
			if ("40P01".equals(ex.getSQLState())) {
				// with a statement of a process that has closed its connection in the
				// middle of it
				empty(dataSource, restartIdentity, newFiles, kept);
				return;
			}
			throw new IllegalStateException("The tables could not be emptied: " + ex.getMessage(), ex);
		}
	}

}
