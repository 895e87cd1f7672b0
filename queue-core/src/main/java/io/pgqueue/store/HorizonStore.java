package io.pgqueue.store;

import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Looks after dead rows of the table of jobs. All methods throw
 * {@link org.springframework.dao.DataAccessException} when the database refuses or is
 * away.
 */
public final class HorizonStore {

	private static final String DEAD_ROWS = """
			select n_dead_tup from pg_stat_all_tables where relid = '{schema}.job'::regclass""";

	/**
	 * Nobody is waited for, and nothing is cut off that others would have to wait for.
	 */
	private static final String VACUUM = """
			vacuum (skip_locked, truncate off) {schema}.job""";

	private final JdbcOperations jdbc;

	private final SchemaName schema;

	/**
	 * Creates the store.
	 * @param jdbc runs each statement in a transaction of its own
	 * @param schema the schema of the tables
	 */
	public HorizonStore(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.schema = schema;
	}

	/** Who keeps dead rows from being removed, whoever began first. */
	public List<HorizonPin> pins() {
		return this.jdbc.query(
				"select * from (" + HorizonStatement.PINS + ") pin order by age desc nulls last limit 10",
				(row, index) -> {
					double seconds = row.getDouble("seconds");
					@Nullable Double open = row.wasNull() ? null : Double.valueOf(seconds);
					return new HorizonPin(row.getString("kind"), row.getString("who"), row.getLong("age"), open);
				});
	}

	/** How many rows of the table of jobs are dead, as the server estimates. */
	public long deadRows() {
		return this.jdbc.query(Sql.in(this.schema, DEAD_ROWS), (row, index) -> row.getLong(1)).get(0);
	}

	/**
	 * Removes dead rows. A role that does not own the table is told by a warning of the
	 * server only, and nothing is done.
	 */
	public void vacuum() {
		this.jdbc.execute(Sql.in(this.schema, VACUUM));
	}

}
