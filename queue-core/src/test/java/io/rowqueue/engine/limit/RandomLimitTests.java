package io.rowqueue.engine.limit;

import java.time.Duration;
import java.util.Random;

import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.LeaseCheck;
import io.rowqueue.testing.ProcessHerd;
import io.rowqueue.testing.Seed;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Limits of queues, types and keys while processes start, stop, are killed and given up
 * at random. A trigger keeps a ledger of all leases: from what was committed when one
 * began and ended follows how many there were at once.
 */
class RandomLimitTests {

	private static final int JOBS = Dose.of(100, 1200);

	private static final int MAX_ATTEMPTS = 4;

	private static final String LEDGER = """
			create table ledger (
				job_id bigint, lease int, queue text, type text, limit_key text, units int,
				began timestamptz not null default clock_timestamp(), ended timestamptz, over boolean,
				primary key (job_id, lease));
			create function keep_ledger() returns trigger language plpgsql as $$
			begin
				if tg_op = 'UPDATE' and old.worker_id is null and new.worker_id is not null then
					insert into public.ledger values (new.id, new.lease, new.queue, new.type, new.limit_key, coalesce(new.limit_units, 1));
				elsif old.worker_id is not null and (tg_op = 'DELETE' or new.worker_id is null) then
					update public.ledger set ended = clock_timestamp(), over = tg_op = 'DELETE' or new.state = 'failed'
					where job_id = old.id and lease = old.lease;
				end if;
				return null;
			end $$;
			create trigger keep_ledger after update or delete on rowqueue.job for each row execute function keep_ledger();
			""";

	private final long seed = Seed.of(this);

	private final Random random = new Random(this.seed);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private final JdbcTemplate jdbc = this.engine.jdbc();

	private final LeaseCheck leases = new LeaseCheck();

	private final ProcessHerd herd = new ProcessHerd(this.engine, this.random, MAX_ATTEMPTS,
			(process) -> process.retry((job, error) -> Duration.ofMillis(this.random.nextInt(3)))
				.handle("plain", this::run)
				.handle("narrow", this::run)
				.handle("slow", this::run));

	@Test
	void limitsAreNeverExceededAndLeaveNothingBehind() {
		this.jdbc.execute(LEDGER);
		this.engine.limits().set(LimitKind.QUEUE, "queue 0", Limit.concurrency(3), true);
		this.engine.limits().set(LimitKind.TYPE, "narrow", Limit.concurrency(2), true);
		this.engine.limits().set(LimitKind.TYPE, "slow", Limit.perPeriod(30, Duration.ofSeconds(1)).burst(5), true);
		this.engine.limits().set(LimitKind.KEY, "two", Limit.concurrency(2), true);
		this.engine.limits().set(LimitKind.KEY, "ordered", Limit.concurrency(1).ordered(true), true);
		this.engine.limits().set(LimitKind.KEY, "api", Limit.concurrency(4), true);
		this.engine.limits().set(LimitKind.KEY, "calls", Limit.perPeriod(60, Duration.ofSeconds(1)).burst(10), true);
		this.herd.start();
		this.herd.start();
		for (int enqueued = 0; enqueued < JOBS; enqueued += 100) {
			enqueue(100);
			mishap(enqueued);
		}
		this.herd.start();
		this.engine.awaitAllOver(this.seed, this.herd::recover);
		this.herd.stopAll();
		assertThat(this.leases.violations()).as("seed %d", this.seed).isEmpty();
		assertThat(mostAtOnce("queue = 'queue 0'", "queue")).isBetween(1L, 3L);
		assertThat(mostAtOnce("type = 'narrow'", "type")).isBetween(1L, 2L);
		assertThat(mostAtOnce("limit_key like 'one:%'", "limit_key")).isEqualTo(1);
		assertThat(mostAtOnce("limit_key like 'two:%'", "limit_key")).isBetween(1L, 2L);
		assertThat(mostAtOnce("limit_key like 'ordered:%'", "limit_key")).isEqualTo(1);
		assertThat(mostAtOnce("limit_key like 'api:%'", "limit_key", "least(units, 4)")).isBetween(2L, 4L);
		assertThatNobodyOvertook();
		assertThatTheRateWasKept();
		assertThat(this.engine.number("select coalesce(sum(held), 0) from rowqueue.limits")).isZero();
	}

	/** How many leases there were at once, of each value of the column. */
	private long mostAtOnce(String where, String column) {
		return mostAtOnce(where, column, "1");
	}

	private long mostAtOnce(String where, String column, String units) {
		return this.engine.number("select coalesce(max(at_once), 0) from (select sum(change) over (partition by of"
				+ " order by at, change) as at_once from (select " + column + " as of, began as at, " + units
				+ " as change from ledger where " + where + " union all select " + column + ", ended, -(" + units
				+ ") from ledger where " + where + " and ended is not null) changes) counted");
	}

	/** From its first lease to its end, no other job of an ordered key has one. */
	private void assertThatNobodyOvertook() {
		assertThat(this.jdbc.queryForList("""
				with turn as (select job_id, limit_key, min(began) as began, max(ended) as ended from ledger
					where limit_key like 'ordered:%' group by job_id, limit_key)
				select a.job_id, b.job_id from turn a join turn b on a.limit_key = b.limit_key and a.job_id < b.job_id
				where a.began < b.ended and b.began < a.ended""")).as("seed %d", this.seed).isEmpty();
	}

	/** In no time began more than the burst and what the rate gives for it. */
	private void assertThatTheRateWasKept() {
		assertThat(this.jdbc.queryForList(
				"""
						with start as (select began, row_number() over (order by began) as number from ledger where type = 'slow')
						select a.began, b.began from start a join start b on b.number > a.number
						where b.number - a.number + 1 > 5 + 30 * extract(epoch from b.began - a.began) + 5"""))
			.as("seed %d", this.seed)
			.isEmpty();
	}

	private void mishap(int enqueued) {
		switch (this.random.nextInt(7)) {
			case 0 -> this.herd.stop();
			case 1 -> this.herd.start();
			case 2 -> this.herd.kill();
			case 3 -> this.engine.terminateAllSessions();
			case 4 -> this.herd.declareHalfDead();
			default -> waitForWork(enqueued / 4);
		}
	}

	private void waitForWork(int over) {
		this.herd.startIfNone();
		await().until(() -> {
			this.herd.recover();
			return this.engine.number("select count(*) from ledger where over") >= over;
		});
	}

	private void enqueue(int count) {
		for (int i = 0; i < count; i++) {
			JobRequest request = JobRequest
				.of(Seed.any(this.random, "plain", "plain", "plain", "narrow", "narrow", "slow"),
						Seed.any(this.random, "work", "work", "fail", "snooze"))
				.queue("queue " + this.random.nextInt(3))
				.priority(this.random.nextInt(2));
			JobRequest enqueued = limited(request);
			await().ignoreExceptions().until(() -> this.engine.enqueue(enqueued) > 0);
		}
	}

	private JobRequest limited(JobRequest request) {
		JobRequest limited = withLimitKey(request);
		return this.random.nextBoolean() ? limited : limited.fairnessKey("tenant " + this.random.nextInt(3));
	}

	private JobRequest withLimitKey(JobRequest request) {
		String key = Seed.any(this.random, "", "one:", "two:", "ordered:", "api:", "api:", "calls:");
		return switch (key) {
			case "" -> request;
			case "api:" -> request.limitKey(key + this.random.nextInt(2), 1 + this.random.nextInt(5));
			case "calls:" -> request.limitKey("calls:all", 1 + this.random.nextInt(3));
			default -> request.limitKey(key + this.random.nextInt(4));
		};
	}

	private void run(String payload, JobContext context) {
		this.leases.run(context);
		if ("fail".equals(payload)) {
			throw new IllegalStateException("as planned");
		}
		if ("snooze".equals(payload) && context.leaseToken() < 3) {
			throw SnoozeJobException.by(Duration.ofMillis(1), "as planned");
		}
	}

}
