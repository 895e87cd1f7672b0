package io.rowqueue.cli;

import java.util.List;
import java.util.Objects;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.measure.HorizonPin;
import io.rowqueue.engine.measure.HorizonStore;
import io.rowqueue.engine.measure.TableStore;
import io.rowqueue.engine.measure.TableStore.LockWait;
import org.jspecify.annotations.Nullable;

/** What the settings and the sessions of the server mean for the queue. */
record ServerChecks(QueueDatabase database) {

	/** Transactions; from here on, dead rows are likely to accumulate. */
	private static final long OLD_PIN = 100_000;

	private static final long MANY_DEAD_ROWS = 50_000;

	private static final double FEW_CONNECTIONS = 0.9;

	private static final String SETTINGS = """
			select name from pg_settings where (name in ('autovacuum', 'track_counts', 'fsync', 'full_page_writes')
				and setting = 'off') or (name = 'synchronous_commit' and setting = 'off') order by name""";

	private static final String CONNECTIONS = """
			select count(*)::float8 / current_setting('max_connections')::int from pg_stat_activity""";

	void addTo(List<Finding> findings) {
		for (String setting : texts(SETTINGS)) {
			findings.add(setting.equals("autovacuum") || setting.equals("track_counts")
					? Finding
						.problem("The setting " + setting + " is off: dead rows of the queue's tables are not removed,"
								+ " and claims become slower. Switch it on.")
					: Finding.warn("The setting " + setting
							+ " is off: jobs that were committed can be lost when the server crashes."));
		}
		this.database.first(CONNECTIONS, (row, index) -> row.getDouble(1))
			.filter((share) -> share > FEW_CONNECTIONS)
			.ifPresent((share) -> findings.add(Finding
				.warn("%s %% of max_connections are in use: processes may not".formatted(Math.round(share * 100))
						+ " get a connection. Raise it, or reduce pools.")));
		addVacuumTo(findings);
		for (LockWait wait : new TableStore(this.database).waits()) {
			findings.add(Finding.warn(
					"Process " + wait.pid() + " (" + wait.application() + ") waits for a lock of " + wait.blockedBy()));
		}
	}

	private void addVacuumTo(List<Finding> findings) {
		HorizonStore horizon = new HorizonStore(this.database);
		long deadRows = horizon.deadRows();
		findings.add((deadRows < MANY_DEAD_ROWS) ? Finding.ok("Dead rows in the table of jobs: " + deadRows)
				: Finding.warn("The table of jobs has " + deadRows + " dead rows: claims become slower."));
		for (HorizonPin pin : horizon.pins()) {
			if (pin.age() > OLD_PIN) {
				findings.add(Finding
					.problem("A " + pin.kind() + ", " + pin.who() + ", has prevented the removal of dead rows for "
							+ pin.age() + " transactions. End it, or let its owner do so."));
			}
		}
	}

	private List<String> texts(String statement) {
		return this.database.query(statement, (row, index) -> text(row.getString(1)));
	}

	private static String text(@Nullable String value) {
		return Objects.requireNonNull(value);
	}

}
