package io.rowqueue.lab.verify.verdict;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rowqueue.lab.verify.site.Site;
import io.rowqueue.lab.verify.worker.Effects;
import io.rowqueue.lab.verify.worker.Reporter;
import io.rowqueue.lab.verify.worker.WorkerSpec;

/**
 * The jobs in the queue's tables.
 *
 * @param over the rows of finished jobs
 * @param open the jobs that are waiting, leased or failed
 * @param failures the attempts that failed
 * @param effects how often jobs of transactional handlers took effect, by id; 0: not at
 * all
 * @param reporters who reported the success that was recorded, by id; of jobs whose
 * handlers return it
 */
public record QueueRows(List<Row> over, List<Row> open, List<Row> failures, Map<Long, Integer> effects,
		Map<Long, Reporter> reporters) {

	private static final String EFFECTS = """
			select coalesce(effect.job_id, job.id), count(effect.job_id) from {effect} effect full join (
				select id from {}.job where type = '{type}' union select id from {}.job_finished where type = '{type}') job
				on job.id = effect.job_id
			group by 1""";

	private static final String DIED = "worker \\d+ \\(.*\\) died.*";

	/**
	 * Reads all of it.
	 * @param site the database of the round
	 */
	public static QueueRows read(Site site) throws SQLException {
		QueueRows all = new QueueRows(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new HashMap<>(),
				new HashMap<>());
		for (Site database : site.databases()) {
			try (Connection connection = database.connect()) {
				ServerClock clock = ServerClock.read(connection);
				all.over.addAll(rows(connection, clock,
						"select id, state::text, attempt, split_part(last_error, chr(10), 1), extract(epoch from finished_at) from {}.job_finished"));
				all.open.addAll(rows(connection, clock,
						"select id, state::text, attempt, split_part(last_error, chr(10), 1), 0 from {}.job"));
				all.failures.addAll(rows(connection, clock,
						"select job_id, 'failed', attempt, error, extract(epoch from failed_at) from {}.job_failure"));
				all.reporters.putAll(reporters(connection));
				effects(connection).forEach((job, times) -> all.effects.merge(job, times, QueueRows::inTwoDatabases));
			}
		}
		return all;
	}

	/** An effect must be in the database of its job: elsewhere it is one too many. */
	private static int inTwoDatabases(int times, int timesElsewhere) {
		return times + timesElsewhere + 1;
	}

	private static Map<Long, Integer> effects(Connection connection) throws SQLException {
		Map<Long, Integer> effects = new HashMap<>();
		try (Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery(EFFECTS.replace("{effect}", Effects.TABLE)
					.replace("{type}", WorkerSpec.TRANSACTIONAL)
					.replace("{}", Site.SCHEMA))) {
			while (result.next()) {
				effects.put(result.getLong(1), result.getInt(2));
			}
		}
		return effects;
	}

	private static Map<Long, Reporter> reporters(Connection connection) throws SQLException {
		Map<Long, Reporter> reporters = new HashMap<>();
		try (Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery("select id, result->>'process', result->>'lease' from "
						+ Site.SCHEMA + ".job_finished where result is not null")) {
			while (result.next()) {
				reporters.put(result.getLong(1), new Reporter(String.valueOf(result.getString(2)), result.getInt(3)));
			}
		}
		return reporters;
	}

	private static List<Row> rows(Connection connection, ServerClock clock, String sql) throws SQLException {
		List<Row> rows = new ArrayList<>();
		try (Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery(sql.replace("{}", Site.SCHEMA))) {
			while (result.next()) {
				rows.add(new Row(result.getLong(1), result.getString(2), result.getInt(3),
						String.valueOf(result.getString(4)), clock.nanos(result.getDouble(5))));
			}
		}
		return rows;
	}

	/**
	 * A job or one of its attempts.
	 *
	 * @param job the id
	 * @param state the state
	 * @param attempt the number of the attempt
	 * @param error its error
	 * @param nanos when it was written, by the clock of the ledgers
	 */
	public record Row(long job, String state, int attempt, String error, long nanos) {

		/** Returns whether the attempt ended because its worker was declared dead. */
		boolean isDeathOfWorker() {
			return this.error.matches(DIED);
		}

	}

}
