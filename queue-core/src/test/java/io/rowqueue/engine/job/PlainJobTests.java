package io.rowqueue.engine.job;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a job costs that uses no feature: the number of its statements, and the tables
 * that they read or write. Tags, expiry, signals, waits, logs, steps, flows, keys,
 * fairness and the units of limits have tables of their own, none of which is among them.
 */
class PlainJobTests {

	/** Claims look whether a queue or type is paused or has a limit. */
	private static final Set<String> TABLES = Set.of("job", "claim", "worker", "pause", "job_limit", "job_failure",
			"job_finished");

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final List<String> statements = new ArrayList<>();

	@ParameterizedTest
	@EnumSource
	void aPlainJobTakesOneStatementForEachStationAndTouchesNoTableOfAFeature(End end) throws SQLException {
		assertThat(tablesOf(NewJobs.of(JobRequest.of("type"), "{}"), end)).contains("job", "claim").isSubsetOf(TABLES);
		assertThat(this.statements).as("enqueue, look for lanes, claim, end").hasSize(4);
	}

	@Test
	void aFeatureIsSeenByItsTable() throws SQLException {
		JobRequest request = JobRequest.of("type").tags("customer:42").expiresAt(Instant.parse("2100-01-01T00:00:00Z"));
		assertThat(tablesOf(NewJobs.of(request, "{}"), End.SUCCESS)).contains("job_tag", "job_expiry");
		assertThat(this.statements).hasSizeGreaterThan(4);
	}

	/** Of a job from its enqueue to the end of its attempt, in one transaction. */
	private Set<String> tablesOf(NewJob job, End end) throws SQLException {
		long worker = database.worker();
		try (Connection connection = database.direct().getConnection()) {
			connection.setAutoCommit(false);
			Stores stores = stores(connection);
			stores.enqueue(List.of(job));
			List<PoolLane> lanes = stores.sweep()
				.heads()
				.stream()
				.map((head) -> new PoolLane(StoreDatabase.POOL, head))
				.toList();
			Lease lease = stores.claim(new Claim(worker, Map.of(StoreDatabase.POOL, 1), lanes)).jobs().get(0).lease();
			List<Long> ended = switch (end) {
				case SUCCESS -> stores.succeed(worker, List.of(lease));
				case RETRY -> stores.outcomes().fail(worker, List.of(new Failure(lease, "error", Duration.ofHours(1))));
				case FAILURE -> stores.outcomes().fail(worker, List.of(new Failure(lease, "error", null)));
				case RELEASE -> stores.outcomes().release(worker, List.of(lease));
			};
			assertThat(ended).containsExactly(lease.jobId());
			Set<String> tables = tables(connection);
			connection.rollback();
			return tables;
		}
	}

	private static Set<String> tables(Connection connection) {
		List<String> tables = new JdbcTemplate(new SingleConnectionDataSource(connection, true)).queryForList(
				"select regexp_replace(relname, '^job_finished_.*', 'job_finished') from pg_stat_xact_user_tables"
						+ " where coalesce(seq_scan, 0) + coalesce(idx_scan, 0) + n_tup_ins + n_tup_upd + n_tup_del > 0",
				String.class);
		return new TreeSet<>(tables);
	}

	private Stores stores(Connection connection) {
		Connection recorded = (Connection) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("prepareStatement")) {
						this.statements.add((String) arguments[0]);
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
		JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(recorded, true));
		return new Stores(jdbc, jdbc, SchemaName.DEFAULT, true);
	}

	enum End {

		SUCCESS, RETRY, FAILURE, RELEASE

	}

}
