package io.rowqueue.testing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.springframework.jdbc.core.JdbcTemplate;

/** The jobs that have not ended. */
final class RemainingJobs {

	/** How long no job may end while random mishaps slow all processes down. */
	private static final Duration PATIENCE_WITH_MISHAPS = Duration.ofMinutes(5);

	private static final String COUNT = """
			select count(*) from rowqueue.job where state <> 'failed'""";

	private static final String DESCRIBE = """
			select j.id, j.type, j.state, j.attempt, j.lease, j.worker_id, j.limit_key, j.run_at - now() as due_in, array(
				select name || case when lease < j.lease then ' (earlier)' else '' end from rowqueue.job_wait
				where job_id = j.id order by began_at) as waits, array(
				select name || case when pending then ' (pending)' when timed_out then ' (timed out)' else '' end
				from rowqueue.job_signal where job_id = j.id order by sent_at) as signals
			from rowqueue.job j where j.state <> 'failed' order by j.id limit 20""";

	private final JdbcTemplate jdbc;

	RemainingJobs(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Waits for minutes as long as jobs end; a failure names the seed. */
	void await(long seed, Runnable meanwhile) {
		try {
			await(PATIENCE_WITH_MISHAPS, meanwhile);
		}
		catch (AssertionError ex) {
			throw new AssertionError("seed " + seed + ": " + ex.getMessage(), ex);
		}
	}

	/** Waits until there are none, as long as one ends in each period. */
	void await(Duration patience, Runnable meanwhile) {
		AtomicLong left = new AtomicLong(Long.MAX_VALUE);
		while (left.get() > 0) {
			long before = left.get();
			try {
				Awaitility.await().atMost(patience).until(() -> {
					meanwhile.run();
					left.set(this.jdbc.queryForObject(COUNT, Long.class));
					return left.get() < before;
				});
			}
			catch (ConditionTimeoutException ex) {
				throw new AssertionError(left + " jobs wait or run, and none has ended for " + patience + ": "
						+ this.jdbc.queryForList(DESCRIBE), ex);
			}
		}
	}

}
