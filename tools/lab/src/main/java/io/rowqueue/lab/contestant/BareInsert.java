package io.rowqueue.lab.contestant;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

import com.zaxxer.hikari.HikariDataSource;

/**
 * Inserts exactly the rows that Rowqueue inserts, into its table, by a program that does
 * nothing else: the limit for its enqueue.
 */
final class BareInsert implements Contestant {

	private static final String COLUMNS = "insert into rowqueue.job (queue, type, state, run_at, order_at, payload) ";

	private static final String ONE = COLUMNS + "values ('default', 'mail', 'queued', now(), now(), ?::json)";

	private static final String MANY = COLUMNS
			+ "select 'default', 'mail', 'queued', now(), now(), p::json from unnest(?::text[]) p";

	private final HikariDataSource pool;

	private BareInsert(HikariDataSource pool) {
		this.pool = pool;
	}

	/** Creates the tables of the product. */
	static BareInsert create(Db db, Ledger ledger) {
		Rowqueue.create(db.url(), ledger, Map.of()).close();
		return new BareInsert(db.pool(9));
	}

	@Override
	public String version() {
		return "–";
	}

	@Override
	public String settings() {
		return "into the product's table, over a pool of 9";
	}

	@Override
	public void enqueue(int job) throws SQLException {
		try (Connection connection = this.pool.getConnection();
				PreparedStatement insert = connection.prepareStatement(ONE)) {
			insert.setString(1, Payload.of(job).json());
			insert.execute();
		}
	}

	@Override
	public void enqueueAll(int from, int to) throws SQLException {
		String[] payloads = new String[to - from];
		Arrays.setAll(payloads, (index) -> Payload.of(from + index).json());
		try (Connection connection = this.pool.getConnection();
				PreparedStatement insert = connection.prepareStatement(MANY)) {
			insert.setArray(1, connection.createArrayOf("text", payloads));
			insert.execute();
		}
	}

	@Override
	public void fill(int jobs) {
		throw new UnsupportedOperationException("it only inserts");
	}

	@Override
	public String table() {
		return "rowqueue.job";
	}

	@Override
	public Optional<String> number() {
		return Optional.of("payload->>'n'");
	}

	@Override
	public void startWorker() {
		throw new UnsupportedOperationException("it only inserts");
	}

	@Override
	public void stopWorker() {
		throw new UnsupportedOperationException("it only inserts");
	}

	@Override
	public boolean isDrained() {
		throw new UnsupportedOperationException("it only inserts");
	}

}
