package io.rowqueue.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;

import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Connections that break around the commit. A pool takes them for alive until a statement
 * fails, as it does with those that were used a moment ago.
 */
public final class UnsafeCommits extends DelegatingDataSource {

	/** When a connection breaks. */
	public enum Fault {

		NONE,

		/** The server does not receive the commit. */
		BEFORE,

		/** The server has committed, and its answer is lost. */
		AFTER

	}

	private final JdbcTemplate killer;

	private final Supplier<Fault> faults;

	/**
	 * Creates the connections.
	 * @param faults asked at each commit
	 */
	public UnsafeCommits(DataSource target, JdbcTemplate killer, Supplier<Fault> faults) {
		super(target);
		this.killer = killer;
		this.faults = faults;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return Proxies.of(Connection.class, (proxy, method, arguments) -> {
			if (method.getName().equals("isValid")) {
				return true;
			}
			Fault fault = method.getName().equals("commit") ? this.faults.get() : Fault.NONE;
			if (fault == Fault.BEFORE) {
				kill(connection);
			}
			int session = (fault == Fault.AFTER) ? session(connection) : 0;
			Object result = Proxies.call(connection, method, arguments);
			if (fault == Fault.AFTER) {
				kill(session);
				throw new SQLException("the answer to the commit was lost, says the test", "08006");
			}
			return result;
		});
	}

	private void kill(Connection connection) {
		kill(session(connection));
	}

	private void kill(int session) {
		this.killer.queryForObject("select pg_terminate_backend(?, 10000)", Boolean.class, session);
	}

	private static int session(Connection connection) {
		return new JdbcTemplate(new SingleConnectionDataSource(connection, true))
			.queryForObject("select pg_backend_pid()", Integer.class);
	}

}
