package io.rowqueue.engine.measure;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

import io.rowqueue.engine.database.Pooler;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.schema.SchemaPart;
import org.springframework.jdbc.core.ConnectionCallback;

/**
 * Finds indexes of the queue that something is wrong with, and mends them. All methods
 * throw {@link org.springframework.dao.DataAccessException} if the database rejects a
 * statement or is not available.
 */
public final class IndexStore {

	/** The state of the error of what cannot run in a transaction. */
	static final String IN_TRANSACTION = "25001";

	/** Smaller ones cost nobody anything. */
	private static final long MIN_BYTES = 64 << 20;

	/** An ordinary entry has 30 to 150 bytes, with the room that a page leaves free. */
	private static final int MAX_BYTES_OF_ENTRY = 500;

	/** How long a statement may take: a wait for others ends before that. */
	private static final Duration LONGEST = Duration.ofMinutes(15);

	private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

	/** From here on it is not quiet. */
	private static final int MANY_JOBS = 1000;

	private static final Duration SHORT_TRANSACTION = Duration.ofSeconds(10);

	private static final String QUEUED = """
			select count(*) from (select from {schema}.job where indexed_state = 'queued' limit %s) bounded"""
		.formatted(MANY_JOBS);

	/**
	 * From statistics and the sizes of files. Statistics of an index are as old as the
	 * last vacuum or analyze, and those of the table are current: while jobs pour in, an
	 * index may have as many entries more as rows were changed since then. The schema may
	 * hold tables of others. An index that is being built is not valid yet.
	 */
	private static final String TROUBLES = """
			select format('%%I', c.relname) as name, found.state, pg_relation_size(c.oid) as bytes
			from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
				left join pg_inherits h on h.inhrelid = t.oid left join pg_class parent on parent.oid = h.inhparent
				cross join lateral (select case
					when not (i.indisvalid and i.indisready) and c.relname ~ '_cc(new|old)[0-9]*$' then 'left over'
					when not (i.indisvalid and i.indisready) then 'invalid'
					when parent.oid is null and c.relam = (select oid from pg_am where amname = 'btree')
						and pg_relation_size(c.oid) > greatest(%s, %s * greatest(c.reltuples, least(pg_stat_get_live_tuples(t.oid),
							greatest(c.reltuples, 0) + pg_stat_get_mod_since_analyze(t.oid)))) then 'large' end as state) found
			where c.relnamespace = '{schema}'::regnamespace and c.relkind = 'i' and found.state is not null
				and coalesce(parent.relname, t.relname) in (%s)
				and not exists (select from pg_stat_progress_create_index b where b.relid = t.oid and b.datname = current_database())""";

	private static final String TABLES = SchemaPart.names("table")
		.stream()
		.map((name) -> "'" + name + "'")
		.collect(Collectors.joining(", "));

	private final QueueDatabase database;

	private final HorizonStore horizon;

	private final String troubles;

	private final Duration longestWait;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 */
	public IndexStore(QueueDatabase database) {
		this(database, MIN_BYTES, LONGEST_WAIT);
	}

	IndexStore(QueueDatabase database, long minBytes, Duration longestWait) {
		this.database = database;
		this.longestWait = longestWait;
		this.horizon = new HorizonStore(database);
		this.troubles = troubles(minBytes) + " order by state, bytes desc, name";
	}

	/** Returns the query for {@code name}, {@code state} and {@code bytes}. */
	static String troubles() {
		return troubles(MIN_BYTES);
	}

	private static String troubles(long minBytes) {
		return TROUBLES.formatted(minBytes, MAX_BYTES_OF_ENTRY, TABLES);
	}

	/** Returns the indexes that something is wrong with, by state, the largest first. */
	public List<IndexTrouble> find() {
		return this.database.query(this.troubles,
				(row, index) -> new IndexTrouble(Objects.requireNonNull(row.getString("name")),
						Objects.requireNonNull(row.getString("state")), row.getLong("bytes")));
	}

	/**
	 * Returns whether few jobs wait or run, and no transaction has been open for long: an
	 * index that is rebuilt would have to wait for its end.
	 */
	boolean isQuiet() {
		return this.database.query(QUEUED, (row, index) -> row.getLong(1)).get(0) < MANY_JOBS
				&& this.horizon.pins().stream().noneMatch(IndexStore::isLong);
	}

	private static boolean isLong(HorizonPin pin) {
		Double seconds = pin.seconds();
		return (seconds != null) ? seconds > SHORT_TRANSACTION.toSeconds() : pin.age() > HorizonWatch.MIN_PIN_AGE;
	}

	/** Returns the statement that mends an index. */
	String remedy(IndexTrouble index) {
		return index.remedy(this.database.schema().quoted());
	}

	/** Rebuilds or removes an index, without keeping others from reading and writing. */
	void mend(IndexTrouble index) {
		this.database.jdbc().execute((ConnectionCallback<Boolean>) (connection) -> {
			if (Pooler.isBehind(connection)) {
				throw new SQLException("A connection pooler begins a transaction for each statement", IN_TRANSACTION);
			}
			try (Patience patience = Patience.begin(connection, this.longestWait);
					Statement statement = patience.connection().createStatement()) {
				return statement.execute(remedy(index));
			}
		});
	}

	/**
	 * Timeouts of a session for a statement that takes long, until it is closed.
	 *
	 * @param connection the session
	 * @param network how long it waited for the server before, in milliseconds
	 * @param statement how long a statement could take before
	 * @param lock how long it could wait for a lock before
	 */
	private record Patience(Connection connection, int network, String statement,
			String lock) implements AutoCloseable {

		static Patience begin(Connection connection, Duration longestWait) throws SQLException {
			Patience before = new Patience(connection, connection.getNetworkTimeout(),
					show(connection, "statement_timeout"), show(connection, "lock_timeout"));
			new Patience(connection, Math.toIntExact(LONGEST.plusMinutes(1).toMillis()), LONGEST.toMillis() + "ms",
					longestWait.toMillis() + "ms")
				.apply();
			return before;
		}

		private static String show(Connection connection, String setting) throws SQLException {
			try (Statement statement = connection.createStatement();
					ResultSet row = statement.executeQuery("show " + setting)) {
				row.next();
				return Objects.requireNonNull(row.getString(1));
			}
		}

		private void apply() throws SQLException {
			this.connection.setNetworkTimeout(Runnable::run, this.network);
			try (PreparedStatement settings = this.connection.prepareStatement(
					"select set_config('statement_timeout', ?, false), set_config('lock_timeout', ?, false)")) {
				settings.setString(1, this.statement);
				settings.setString(2, this.lock);
				settings.execute();
			}
		}

		@Override
		public void close() throws SQLException {
			apply();
		}

	}

}
