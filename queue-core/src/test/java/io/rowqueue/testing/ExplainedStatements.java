package io.rowqueue.testing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Connections that have each query explained before it runs, and remember how many blocks
 * it read.
 */
public final class ExplainedStatements extends DelegatingDataSource {

	private static final Pattern BLOCKS = Pattern
		.compile("\"Shared Hit Blocks\": (\\d+),\\s+\"Shared Read Blocks\": (\\d+)");

	private static final Pattern MILLIS = Pattern.compile("\"Execution Time\": ([\\d.]+)");

	private static final String EXPLAIN = "explain (analyze, buffers, timing off, format json) ";

	private final List<String> plans = new ArrayList<>();

	private long blocks;

	private double millis;

	public ExplainedStatements(DataSource target) {
		super(target);
	}

	/** The blocks that were read since the last call. */
	public long blocks() {
		long read = this.blocks;
		this.blocks = 0;
		return read;
	}

	/**
	 * How long the statements took since the last call, the reading of blocks included.
	 */
	public double millis() {
		double taken = this.millis;
		this.millis = 0;
		return taken;
	}

	/** The plans since the last call. */
	public List<String> plans() {
		List<String> seen = List.copyOf(this.plans);
		this.plans.clear();
		return seen;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return Proxies.of(Connection.class, (proxy, method, arguments) -> {
			Object result = Proxies.call(connection, method, arguments);
			return (result instanceof PreparedStatement statement)
					? explained(connection, statement, (String) arguments[0]) : result;
		});
	}

	private PreparedStatement explained(Connection connection, PreparedStatement statement, String sql)
			throws SQLException {
		PreparedStatement explain = connection.prepareStatement(EXPLAIN + sql);
		return Proxies.of(PreparedStatement.class, (proxy, method, arguments) -> {
			if (method.getName().startsWith("set") && arguments != null && arguments.length > 1) {
				Proxies.call(explain, method, arguments);
			}
			if (method.getName().equals("executeQuery")) {
				remember(explain);
			}
			if (method.getName().equals("close")) {
				explain.close();
			}
			return Proxies.call(statement, method, arguments);
		});
	}

	private void remember(PreparedStatement explain) throws SQLException {
		try (ResultSet row = explain.executeQuery()) {
			row.next();
			String plan = row.getString(1);
			this.plans.add(plan);
			Matcher root = BLOCKS.matcher(plan); // of which those of its parts are a part
			if (!root.find()) {
				throw new IllegalStateException(plan);
			}
			this.blocks += Long.parseLong(root.group(1)) + Long.parseLong(root.group(2));
			Matcher time = MILLIS.matcher(plan);
			this.millis += time.find() ? Double.parseDouble(time.group(1)) : 0;
		}
	}

}
