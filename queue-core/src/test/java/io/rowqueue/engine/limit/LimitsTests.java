package io.rowqueue.engine.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobHandlers.Handler;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.RefusedStatements;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What all workers of a cluster together may do. */
class LimitsTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();

	private final Map<String, AtomicInteger> maxRunning = new ConcurrentHashMap<>();

	@Test
	void aQueueHasSoManyJobsAtOnceInAllProcesses() {
		this.engine.limits().set(LimitKind.QUEUE, "narrow", Limit.concurrency(3), true);
		for (int process = 0; process < 3; process++) {
			this.engine.process().concurrency(4).handle("a", watched()).handle("b", watched()).start();
		}
		for (int job = 0; job < 300; job++) {
			this.engine.enqueue(JobRequest.of((job % 2 == 0) ? "a" : "b").queue("narrow").priority(job % 3));
		}
		this.engine.awaitAllOver();
		assertThat(this.maxRunning.get("narrow").get()).isBetween(1, 3);
	}

	@Test
	void aTypeHasSoManyJobsAtOnceOverAllQueues() {
		this.engine.limits().set(LimitKind.TYPE, "heavy", Limit.concurrency(2), true);
		for (int process = 0; process < 2; process++) {
			this.engine.process().concurrency(4).handle("heavy", watched("heavy")).start();
		}
		for (int job = 0; job < Dose.of(60, 200); job++) {
			this.engine.enqueue(JobRequest.of("heavy").queue("queue " + job % 2));
		}
		this.engine.awaitAllOver();
		assertThat(this.maxRunning.get("heavy").get()).isBetween(1, 2);
	}

	@Test
	void othersAreNotHeldUpByJobsThatHaveToWait() {
		CountDownLatch release = new CountDownLatch(1);
		this.engine.limits().set(LimitKind.TYPE, "heavy", Limit.concurrency(1), true);
		this.engine.process()
			.concurrency(4)
			.handle("heavy", (payload, context) -> release.await())
			.handle("light", (payload, context) -> {
			})
			.start();
		for (int job = 0; job < 50; job++) {
			this.engine.enqueue(JobRequest.of("heavy").priority(9));
			this.engine.enqueue(JobRequest.of("heavy").limitKey("k").priority(9));
			this.engine.enqueue("light");
		}
		await("the light ones are done").until(() -> this.engine.count("job_finished where type = 'light'") == 50);
		release.countDown();
		this.engine.awaitAllOver();
	}

	/**
	 * They are claimed first, and that is committed when the claim of the others fails.
	 */
	@Test
	void jobsThatWereLetInRunAlthoughNoOtherCanBeClaimed() {
		this.engine.limits().set(LimitKind.TYPE, "heavy", Limit.concurrency(1), true);
		long light = this.engine.enqueue("light");
		long heavy = this.engine.enqueue(JobRequest.of("heavy").priority(9));
		AtomicBoolean refuses = new AtomicBoolean(true);
		this.engine.process()
			.through(new RefusedStatements(this.engine.dataSource(),
					(sql) -> refuses.get() && sql.contains("as touched") && sql.contains("update")))
			.handle("heavy", watched("heavy"))
			.handle("light", watched("light"))
			.start();
		this.engine.awaitState(heavy, JobState.SUCCEEDED);
		assertThat(this.engine.job(light).state()).isEqualTo(JobState.QUEUED);
		refuses.set(false);
		this.engine.awaitState(light, JobState.SUCCEEDED);
	}

	/** Each end admits the next job; none waits for a poll or for maintenance. */
	@Test
	void jobsFollowEachOtherWithoutPolling() {
		this.engine.limits().set(LimitKind.QUEUE, "narrow", Limit.concurrency(1), true);
		this.engine.process().withoutPolling().handle("a", watched()).startAndListen();
		for (int job = 0; job < 50; job++) {
			this.engine.enqueue(JobRequest.of("a").queue("narrow"));
			this.engine.enqueue(JobRequest.of("a").queue("keyed").limitKey("k"));
		}
		this.engine.awaitAllOver();
		assertThat(this.maxRunning.get("narrow")).hasValue(1);
		assertThat(this.maxRunning.get("keyed")).hasValue(1);
	}

	@Test
	void keysOfTransactionalHandlersFollowEachOtherToo() {
		this.engine.process().withoutPolling().handleInTransaction("a", watched()).startAndListen();
		for (int job = 0; job < 20; job++) {
			this.engine.enqueue(JobRequest.of("a").limitKey("k"));
		}
		this.engine.awaitAllOver();
		assertThat(this.maxRunning.get("default")).hasValue(1);
	}

	@Test
	void maintenanceLetsInWhoWasEnqueuedBySqlOrIsDueLater() {
		this.engine.process().withMaintenance().handle("a", watched()).start();
		this.engine.enqueue(JobRequest.of("a").limitKey("k").delay(Duration.ofMillis(300)));
		this.engine.jdbc().execute("select rowqueue.enqueue('a', limit_key => 'k') from generate_series(1, 5)");
		this.engine.awaitAllOver();
		assertThat(this.maxRunning.get("default")).hasValue(1);
	}

	@Test
	void jobsOfAnOrderedKeyRunInOrderWhateverFails() {
		this.engine.limits().set(LimitKind.KEY, "account", Limit.concurrency(1).ordered(true), true);
		List<Long> ran = Collections.synchronizedList(new ArrayList<>());
		for (int process = 0; process < 2; process++) {
			this.engine.process()
				.retry((job, error) -> Duration.ofMillis(1))
				.maxAttempts(3)
				.withMaintenance()
				.handle("a", (payload, context) -> {
					ran.add(context.id());
					if (context.id() % 3 == 0) {
						throw new IllegalStateException("as planned");
					}
				})
				.start();
		}
		for (int job = 0; job < 20; job++) {
			this.engine.enqueue(JobRequest.of("a").limitKey("account:1"));
		}
		this.engine.awaitAllOver();
		assertThat(ran).isSorted().hasSizeGreaterThan(20);
	}

	@Test
	void oneThatRunsAfterAnotherWaitsForItAndThenForItsKey() {
		CountDownLatch release = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		this.engine.process()
			.withMaintenance()
			.handle("held", (payload, context) -> release.await())
			.handle("before", (payload, context) -> goOn.await())
			.handle("a", watched())
			.start();
		long holder = this.engine.enqueue(JobRequest.of("held").limitKey("k"));
		this.engine.awaitState(holder, JobState.RUNNING);
		long first = this.engine.enqueue("before");
		long next = this.engine.enqueue(JobRequest.of("a").after(first).limitKey("k"));
		assertThat(this.engine.job(next).state()).isEqualTo(JobState.BLOCKED);
		goOn.countDown();
		this.engine.awaitState(first, JobState.SUCCEEDED);
		await("it waits for its key").until(() -> this.engine.count("job where id = ? and awaits_key", next) == 1);
		release.countDown();
		this.engine.awaitAllOver();
		assertThat(
				this.engine.number(
						"select extract(epoch from (select leased_at from rowqueue.job_finished where id = ?)"
								+ " - (select finished_at from rowqueue.job_finished where id = ?)) * 1000000",
						next, holder))
			.isPositive();
	}

	@Test
	void aRateSpreadsJobsOverTime() {
		this.engine.limits().set(LimitKind.TYPE, "a", Limit.perPeriod(50, Duration.ofSeconds(1)).burst(1), true);
		for (int process = 0; process < 2; process++) {
			this.engine.process().handle("a", watched()).start();
		}
		for (int job = 0; job < 40; job++) {
			this.engine.enqueue("a");
		}
		this.engine.awaitAllOver();
		assertThat(millisFromFirstToLast()).isGreaterThanOrEqualTo(39 * 20 / 2);
	}

	@Test
	void aRateOfAKeySpreadsItsJobsOverTime() {
		this.engine.limits().set(LimitKind.KEY, "host", Limit.perPeriod(50, Duration.ofSeconds(1)).burst(1), true);
		this.engine.process().handle("a", watched()).start();
		this.engine.queue().enqueueAll(Collections.nCopies(20, JobRequest.of("a").limitKey("host:a")));
		this.engine.awaitAllOver();
		// an admitted job may have been claimed some time later
		assertThat(this.engine
			.number("select extract(epoch from max(leased_at) - min(created_at)) * 1000 from rowqueue.job_finished"))
			.isGreaterThanOrEqualTo(19 * 20 / 2);
	}

	@Test
	void aLimitThatIsRaisedWhileItIsReachedCounts() {
		CountDownLatch release = new CountDownLatch(1);
		AtomicInteger started = new AtomicInteger();
		this.engine.limits().set(LimitKind.QUEUE, "default", Limit.concurrency(1), true);
		this.engine.process().handle("a", (payload, context) -> {
			started.incrementAndGet();
			release.await();
		}).start();
		for (int job = 0; job < 4; job++) {
			this.engine.enqueue("a");
		}
		await().until(started::get, (jobs) -> jobs == 1);
		this.engine.limits().set(LimitKind.QUEUE, "default", Limit.concurrency(3), true);
		await().until(started::get, (jobs) -> jobs == 3);
		this.engine.limits().remove(LimitKind.QUEUE, "default");
		await().until(started::get, (jobs) -> jobs == 4);
		release.countDown();
	}

	@Test
	void theConcurrencyOfATypeInItsProcessHoldsAsWell() {
		this.engine.limits().set(LimitKind.TYPE, "heavy", Limit.concurrency(3), true);
		this.engine.process()
			.concurrency(8)
			.handle("heavy", HandlerOptions.NONE.concurrency(2), watched("heavy"))
			.start();
		for (int job = 0; job < 100; job++) {
			this.engine.enqueue(JobRequest.of("heavy").priority(job % 3));
		}
		this.engine.awaitAllOver();
		assertThat(this.maxRunning.get("heavy").get()).isBetween(1, 2);
	}

	/** By the clock of the database. */
	private long millisFromFirstToLast() {
		return this.engine
			.number("select extract(epoch from max(leased_at) - min(leased_at)) * 1000 from rowqueue.job_finished");
	}

	private Handler<String> watched() {
		return (payload, context) -> watch(context.queue());
	}

	private Handler<String> watched(String name) {
		return (payload, context) -> watch(name);
	}

	private void watch(String name) {
		AtomicInteger now = this.running.computeIfAbsent(name, (added) -> new AtomicInteger());
		this.maxRunning.computeIfAbsent(name, (added) -> new AtomicInteger())
			.accumulateAndGet(now.incrementAndGet(), Math::max);
		Thread.yield();
		now.decrementAndGet();
	}

}
