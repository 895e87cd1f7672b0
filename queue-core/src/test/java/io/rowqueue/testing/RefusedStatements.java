package io.rowqueue.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Predicate;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Connections on which the server cancels statements that a test chooses. */
public final class RefusedStatements extends DelegatingDataSource {

	private final Predicate<String> refused;

	private final String errorCode;

	/**
	 * Creates the connections.
	 * @param refused asked for each statement that is prepared
	 */
	public RefusedStatements(DataSource target, Predicate<String> refused) {
		this(target, refused, "57014");
	}

	/**
	 * Creates connections on which the server refuses statements.
	 * @param refused asked for each statement that is prepared
	 * @param errorCode what the server says
	 */
	public RefusedStatements(DataSource target, Predicate<String> refused, String errorCode) {
		super(target);
		this.refused = refused;
		this.errorCode = errorCode;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return Proxies.of(Connection.class, (proxy, method, arguments) -> {
			if (method.getName().equals("prepareStatement") && this.refused.test((String) arguments[0])) {
				throw new SQLException("canceling statement, says the test", this.errorCode);
			}
			return Proxies.call(connection, method, arguments);
		});
	}

}
