package io.rowqueue.testing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Connections on which the server sends the plan of each statement to the client, those
 * inside functions too, and which collect the plans that the server has compiled with
 * JIT. Needs a superuser, and the module auto_explain.
 */
public final class CompiledStatements extends DelegatingDataSource {

	private static final String OPTIONS = "-c session_preload_libraries=auto_explain -c auto_explain.log_min_duration=0"
			+ " -c auto_explain.log_nested_statements=on -c auto_explain.log_level=notice -c jit=on";

	private final List<String> compiled = new CopyOnWriteArrayList<>();

	private final AtomicInteger plans = new AtomicInteger();

	/**
	 * Creates the connections.
	 * @param target opens them; its options are replaced
	 */
	public CompiledStatements(PGSimpleDataSource target) {
		super(target);
		target.setOptions(OPTIONS);
	}

	/** The statements that were compiled so far, with their plans. */
	public List<String> compiled() {
		return this.compiled;
	}

	/** How many plans were seen so far. */
	public int plans() {
		return this.plans.get();
	}

	@Override
	public Connection getConnection() throws SQLException {
		return wrap(super.getConnection(), Connection.class);
	}

	private <T> T wrap(T target, Class<T> type) {
		return Proxies.of(type, (proxy, method, args) -> {
			Object result = Proxies.call(target, method, args);
			if (result instanceof PreparedStatement statement) {
				return wrap(statement, PreparedStatement.class);
			}
			if (result instanceof Statement statement && type == Connection.class) {
				return wrap(statement, Statement.class);
			}
			if (target instanceof Statement statement && method.getName().startsWith("execute")) {
				read(statement.getWarnings());
			}
			return result;
		});
	}

	private void read(SQLWarning first) {
		for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
			if (warning.getMessage().contains("plan:")) {
				this.plans.incrementAndGet();
				if (warning.getMessage().contains("JIT:")) {
					this.compiled.add(warning.getMessage());
				}
			}
		}
	}

}
