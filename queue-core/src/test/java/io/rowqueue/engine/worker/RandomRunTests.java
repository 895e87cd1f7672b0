package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.LeaseCheck;
import io.rowqueue.testing.ProcessHerd;
import io.rowqueue.testing.Referee;
import io.rowqueue.testing.Seed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Processes start, stop, are killed, are given up, lose their connections and their
 * database, in any time zone, while jobs succeed and fail at random. Triggers watch every
 * lease, and each handler leaves an effect that carries its lease token.
 */
class RandomRunTests {

	private static final int JOBS = Dose.of(200, 2000);

	private static final int MAX_ATTEMPTS = 4;

	private final long seed = Seed.of(this);

	private final Random random = new Random(this.seed);

	private final TimeZone timeZone = TimeZone.getDefault();

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private final JdbcTemplate jdbc = this.engine.jdbc();

	private final HikariDataSource effects = this.engine.pool(4);

	private final Set<Long> committed = new HashSet<>();

	private final Map<Long, Integer> mostAttempts = new ConcurrentHashMap<>();

	private final LeaseCheck leases = new LeaseCheck();

	private final ProcessHerd herd = new ProcessHerd(this.engine, this.random, MAX_ATTEMPTS,
			(process) -> process.handle("test", this::run));

	@AfterEach
	void restoreTimeZone() {
		TimeZone.setDefault(this.timeZone);
	}

	@Test
	void aRandomRunLosesNothingAndEndsEveryJobOnce() {
		Referee referee = new Referee(this.jdbc);
		this.jdbc.execute("create table effect (job_id bigint primary key, token int not null, payload text)");
		this.herd.start();
		this.herd.start();
		for (int enqueued = 0; enqueued < JOBS; enqueued += 100) {
			enqueue(100);
			mishap(enqueued);
			assertThatKeysAreUnique();
		}
		this.herd.start();
		await("all jobs have ended").until(() -> {
			this.herd.recover();
			return this.engine.number("select (select count(*) from rowqueue.job where state <> 'failed')"
					+ " + (select count(*) from rowqueue.job_follow_up)") == 0;
		});
		this.herd.stopAll();
		assertThat(referee.fouls()).as("seed %d", this.seed).isEmpty();
		assertThat(this.leases.violations()).as("seed %d", this.seed).isEmpty();
		everyCommittedJobEndedOnce();
		theLatestEffectIsThatOfTheAttemptThatCounted();
		assertThat(this.mostAttempts.values()).as("seed %d", this.seed).allMatch((attempt) -> attempt <= MAX_ATTEMPTS);
	}

	private void mishap(int enqueued) {
		switch (this.random.nextInt(9)) {
			case 0 -> this.herd.stop();
			case 1 -> this.herd.start();
			case 2 -> this.herd.kill();
			case 3 -> this.engine.terminateAllSessions();
			case 4 -> this.herd.declareHalfDead();
			case 5 -> loseTheDatabaseFor(Duration.ofMillis(this.random.nextInt(700)));
			case 6 -> TimeZone.setDefault(
					TimeZone.getTimeZone(Seed.any(this.random, "Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC")));
			default -> waitForWork(enqueued / 4);
		}
	}

	private void waitForWork(int finished) {
		this.herd.startIfNone();
		await().until(() -> this.engine.finished() >= finished);
	}

	private void loseTheDatabaseFor(Duration time) {
		this.engine.allowConnections(false);
		try {
			new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			this.engine.allowConnections(true);
		}
	}

	private void enqueue(int count) {
		for (int i = 0; i < count; i++) {
			JobRequest request = JobRequest.of("test", (this.random.nextInt(5) == 0) ? "fail" : "work")
				.queue("queue " + this.random.nextInt(3))
				.priority(this.random.nextInt(3));
			if (this.random.nextInt(10) == 0) {
				request = request.uniqueKey("key " + this.random.nextInt(5))
					.duplicates(Seed.any(this.random, DuplicatePolicy.keep(), DuplicatePolicy.replace(),
							DuplicatePolicy.runAgain()));
			}
			JobRequest last = (this.random.nextInt(10) == 0) ? request.delay(Duration.ofMillis(50)) : request;
			await().ignoreExceptions().until(() -> this.committed.add(this.engine.enqueue(last)) || true);
		}
	}

	private void run(String payload, JobContext context) throws InterruptedException {
		this.leases.run(context);
		this.mostAttempts.merge(context.id(), context.attempt(), Math::max);
		new JdbcTemplate(this.effects).update(
				"insert into effect values (?, ?, ?) on conflict (job_id) do update"
						+ " set token = excluded.token where effect.token < excluded.token",
				context.id(), context.leaseToken(), payload);
		if (context.id() % 50 == 0) {
			new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
		}
		if ("fail".equals(payload)) {
			throw new IllegalStateException("as planned");
		}
	}

	/** At most one job with a key waits or runs. */
	private void assertThatKeysAreUnique() {
		assertThat(this.jdbc
			.queryForList("select unique_key from rowqueue.job where unique_key is not null and state <> 'failed'"
					+ " group by unique_key having count(*) > 1"))
			.isEmpty();
	}

	private void everyCommittedJobEndedOnce() {
		List<Long> succeeded = ids("select id from rowqueue.job_finished");
		List<Long> failed = ids("select id from rowqueue.job where state = 'failed'");
		assertThat(succeeded).as("seed %d", this.seed).doesNotHaveDuplicates().doesNotContainAnyElementsOf(failed);
		Set<Long> over = new HashSet<>(succeeded);
		over.addAll(failed);
		assertThat(over).as("seed %d", this.seed).containsAll(this.committed);
		assertThat(ids("select id from rowqueue.job_finished where payload::text = '\"fail\"'"))
			.as("seed %d", this.seed)
			.isEmpty();
		assertThat(
				ids("select id from rowqueue.job where payload::text = '\"work\"' and last_error not like 'worker%died'"
						+ " and last_error not like '%SQL%' and last_error not like '%onnection%'"))
			.as("failed without a reason, seed %d", this.seed)
			.isEmpty();
	}

	/** At most one lease of a job counts, and a later one has a higher token. */
	private void theLatestEffectIsThatOfTheAttemptThatCounted() {
		assertThat(ids("select f.id from rowqueue.job_finished f join given_back g on g.job_id = f.id and g.over"
				+ " left join effect e on e.job_id = f.id and e.token = g.lease where e.job_id is null"))
			.as("seed %d", this.seed)
			.isEmpty();
	}

	private List<Long> ids(String sql) {
		return this.jdbc.queryForList(sql, Long.class);
	}

}
