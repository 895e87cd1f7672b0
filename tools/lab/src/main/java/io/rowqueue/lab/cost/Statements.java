package io.rowqueue.lab.cost;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.rowqueue.lab.Sql;
import io.rowqueue.postgres.Database;

/** What the server has spent on each kind of statement since it was last asked. */
final class Statements {

	/** The kinds, by what their text contains. */
	private static final Map<String, String> KINDS = new LinkedHashMap<>();

	static {
		KINDS.put("sweep", "with recursive head%as limited%");
		KINDS.put("claim", "with pick as materialized%");
		KINDS.put("measurement", "%insert into \"rowqueue\".measurement%");
		KINDS.put("promotion", "%'scheduled'%promot%");
		KINDS.put("end", "%insert into \"rowqueue\".job_finished%");
		KINDS.put("enqueue", "select rowqueue.enqueue(%");
	}

	private static final String READ = """
			select %s as kind, sum(calls) as calls, sum(total_exec_time) as millis, max(max_exec_time) as longest,
				sum(shared_blks_hit + shared_blks_read) as buffers, sum(shared_blks_read) as read
			from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
				and query not like '%%pg_stat_statements%%'
			group by 1 order by millis desc limit %s""";

	private final Database database;

	Statements(Database database) {
		this.database = database;
	}

	/** Begins anew. */
	void reset() throws SQLException {
		try (Connection connection = Sql.open(this.database); Statement statement = connection.createStatement()) {
			statement.execute("create extension if not exists pg_stat_statements");
			statement.execute("select pg_stat_statements_reset()");
		}
	}

	/** A line for each kind, the most expensive first. */
	String report(int kinds) throws SQLException {
		StringBuilder text = new StringBuilder();
		StringBuilder kind = new StringBuilder("case");
		KINDS.forEach((name, like) -> kind.append(" when query ilike '")
			.append(like.replace("'", "''"))
			.append("' then '")
			.append(name)
			.append("'"));
		kind.append(" else left(regexp_replace(query, '\\s+', ' ', 'g'), 90) end");
		try (Connection connection = Sql.open(this.database);
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(READ.formatted(kind, kinds))) {
			while (rows.next()) {
				double calls = rows.getDouble("calls");
				text.append(String.format(Locale.ROOT,
						"  %,.0f × %s: %.2f ms (at most %.1f), %,.0f buffers, %,.0f of them not in memory; %.0f ms in all%n",
						calls, rows.getString("kind"), rows.getDouble("millis") / calls, rows.getDouble("longest"),
						rows.getDouble("buffers") / calls, rows.getDouble("read") / calls, rows.getDouble("millis")));
			}
		}
		return text.toString();
	}

}
