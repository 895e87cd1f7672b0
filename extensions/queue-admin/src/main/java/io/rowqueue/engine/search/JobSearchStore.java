package io.rowqueue.engine.search;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import io.rowqueue.admin.BoundedCount;
import io.rowqueue.admin.JobDetails;
import io.rowqueue.admin.JobPage;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.util.Assert;

/**
 * Finds jobs in read-only transactions. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available, or a statement takes too long.
 */
public final class JobSearchStore implements JobSearch {

	/** How long a statement may take. */
	public static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(2);

	/** How long a search may take before it says how far it came. */
	public static final Duration SEARCH_TIME = Duration.ofSeconds(1);

	/** The condition of the filter is formatted into it. */
	private static final String SELECTED = """
			select j.id from unnest(?::bigint[]) as selected (id) cross join lateral %s j
			where (j.leased_at is null or j.leased_at <= ?::timestamptz) and %s order by j.id""";

	private final ReadTransactions transactions;

	private final Duration searchTime;

	/**
	 * Creates the store.
	 * @param database lends its connections
	 */
	public JobSearchStore(QueueDatabase database) {
		this(database, STATEMENT_TIMEOUT, SEARCH_TIME);
	}

	/**
	 * Creates the store.
	 * @param database lends its connections
	 * @param statementTimeout how long a statement may take
	 * @param searchTime how long a search may take before it says how far it came
	 */
	public JobSearchStore(QueueDatabase database, Duration statementTimeout, Duration searchTime) {
		this.transactions = new ReadTransactions(database, statementTimeout);
		this.searchTime = searchTime;
	}

	@Override
	public JobPage find(JobFilter filter, @Nullable String cursor, int size) {
		Assert.isTrue(size > 0 && size <= MAX_PAGE, () -> "a page has 1 to " + MAX_PAGE + " jobs");
		SearchCursor position = (cursor != null) ? SearchCursor.of(cursor, filter) : null;
		return this.transactions.read((database) -> page(database, filter, position, size, JobRowStatement.COLUMNS));
	}

	/**
	 * Finds jobs as {@link #find} does, any number at once, without what only people
	 * read: keys, errors, payloads.
	 */
	public JobPage select(JobFilter filter, @Nullable String cursor, int size) {
		SearchCursor position = (cursor != null) ? SearchCursor.of(cursor, filter) : null;
		return this.transactions
			.read((database) -> page(database, filter, position, size, JobRowStatement.BARE_COLUMNS));
	}

	@Override
	public BoundedCount count(JobFilter filter) {
		return this.transactions.read((database) -> {
			JobSource source = source(database, filter, null, JobRowStatement.COLUMNS);
			Long jobs = (source instanceof ListWalkStatement list) ? list.count(database, MAX_COUNT + 1) : null;
			if (jobs != null) {
				return new BoundedCount(Math.min(jobs, MAX_COUNT), jobs <= MAX_COUNT);
			}
			JobPage page = JobWalk.page(filter, source, source.start(), MAX_COUNT, this.searchTime);
			return new BoundedCount(page.jobs().size(), page.searched().complete());
		});
	}

	@Override
	public Optional<JobDetails> details(long id) {
		return this.transactions.read((database) -> new JobDetailsStatement(database).execute(id));
	}

	/**
	 * Returns those of some jobs that a filter still selects and that were not claimed
	 * after a time.
	 * @param filter the filter; what leads to the jobs, such as their batch, does not
	 * change
	 * @param ids the jobs
	 * @param until only those that were not claimed later
	 */
	public List<Long> stillSelected(JobFilter filter, List<Long> ids, Instant until) {
		FilterCondition condition = FilterCondition.of(filter);
		List<Object> arguments = new ArrayList<>(List.of(ids.toArray(Long[]::new), String.valueOf(Sql.text(until))));
		arguments.addAll(condition.arguments());
		String sql = SELECTED.formatted(JobRowStatement.OF_ID.formatted("selected.id"), condition.sql());
		return this.transactions.read((database) -> database.jdbc()
			.query(Sql.in(database.schema(), sql), (row, index) -> row.getLong("id"), arguments.toArray()));
	}

	private JobPage page(QueueDatabase database, JobFilter filter, @Nullable SearchCursor cursor, int size,
			String columns) {
		JobSource source = source(database, filter, (cursor != null) ? cursor.source() : null, columns);
		List<String> position = (cursor != null) ? cursor.keys() : source.start();
		if (position.size() != source.start().size()) {
			throw SearchCursor.invalid(null);
		}
		try {
			return JobWalk.page(filter, source, position, size, this.searchTime);
		}
		catch (DataIntegrityViolationException | NumberFormatException ex) {
			throw SearchCursor.invalid(ex); // a cursor that was not created here
		}
	}

	/**
	 * The pages of a list are read from the source of its first one. Very many lanes are
	 * not merged: the jobs are looked at by id instead.
	 */
	private static JobSource source(QueueDatabase database, JobFilter filter, @Nullable String name, String columns) {
		FilterCondition condition = FilterCondition.of(filter);
		WalkStatement walk = new WalkStatement(database, columns);
		boolean isLed = !filter.ids().isEmpty() || filter.flow() != null || !filter.tags().isEmpty()
				|| !filter.headers().isEmpty();
		if (filter.isFinished() && !isLed) {
			return new HistoryWalkStatement(database, walk, filter, condition);
		}
		NamedParameters parameters = new NamedParameters(filter, condition);
		ListStatement list = ListStatement.of(filter, condition);
		if (list.isOfLanes() && ((name != null) ? name.equals(ListStatement.LIVE.name())
				: LaneStatement.areMany(database, list == ListStatement.QUEUED, parameters))) {
			list = ListStatement.LIVE;
		}
		return new ListWalkStatement(walk, list, condition, parameters);
	}

	/**
	 * Transactions that read for people: they change nothing, each of their statements
	 * has to end in a time, and each of them is planned for what the tables of a queue
	 * are. The settings are those of the transaction, since its session may belong to
	 * others.
	 */
	private static final class ReadTransactions {

		private static final String SETTINGS = """
				select set_config('transaction_read_only', 'on', true), set_config('statement_timeout', ?, true),
					set_config('search_path', 'pg_catalog, pg_temp', true), set_config('enable_seqscan', 'off', true),
					set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)""";

		/** Lends the connections, which commit each statement. */
		private final QueueDatabase database;

		private final Duration statementTimeout;

		private ReadTransactions(QueueDatabase database, Duration statementTimeout) {
			this.database = database;
			this.statementTimeout = statementTimeout;
		}

		/** Reads in a transaction. */
		private <T extends @Nullable Object> T read(Function<QueueDatabase, T> work) {
			return this.database.jdbc()
				.execute((ConnectionCallback<T>) (connection) -> inTransaction(connection, work));
		}

		private <T extends @Nullable Object> T inTransaction(Connection connection, Function<QueueDatabase, T> work)
				throws SQLException {
			if (!connection.getAutoCommit()) { // the caller has a transaction
				return read(connection, work);
			}
			connection.setAutoCommit(false);
			try {
				return read(connection, work);
			}
			finally {
				// nothing was written
				connection.rollback();
				connection.setAutoCommit(true);
			}
		}

		private <T extends @Nullable Object> T read(Connection connection, Function<QueueDatabase, T> work) {
			JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
			jdbc.query(SETTINGS, (row) -> {
			}, this.statementTimeout.toMillis() + "ms");
			return work.apply(new QueueDatabase(jdbc, this.database.schema()));
		}

	}

}
