package io.rowqueue.engine.attempt;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.rowqueue.JobLogLine;
import io.rowqueue.JobLogger;
import io.rowqueue.JobState;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.listen.JobListener;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestHooks;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/** What handlers log for their jobs. */
class JobLogTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final CountDownLatch goOn = new CountDownLatch(1);

	@Test
	void theLinesAreKeptWithTheFinishedJob() {
		Instant before = now();
		this.engine.process().handle("test", (payload, context) -> {
			context.log().info("{} of {} addresses are valid", 2, 3);
			context.log().debug("one");
			context.log().warn("no arguments: {}");
			context.log().error("failed", new IllegalStateException("as planned"));
		}).start();
		List<JobLogLine> lines = this.engine.stores().leases().logs().list(succeeded());
		assertThat(lines).extracting(JobLogLine::attempt, JobLogLine::lease, JobLogLine::level)
			.containsExactly(tuple(1, 1, Level.INFO), tuple(1, 1, Level.DEBUG), tuple(1, 1, Level.WARN),
					tuple(1, 1, Level.ERROR));
		assertThat(lines).extracting(JobLogLine::text)
			.startsWith("2 of 3 addresses are valid", "one", "no arguments: {}");
		assertThat(lines.get(3).text()).startsWith("failed\njava.lang.IllegalStateException: as planned\n\tat ");
		assertThat(lines).extracting(JobLogLine::at)
			.isSorted()
			.allSatisfy((at) -> assertThat(at).isBetween(before, now()));
	}

	@Test
	void theLinesCanBeReadWhileTheJobRuns() {
		this.engine.process().handle("test", (payload, context) -> {
			context.log().info("first");
			this.goOn.await();
			context.log().info("second");
		}).start();
		long id = this.engine.enqueue("test");
		await().until(() -> texts(id), List.of("first")::equals);
		this.goOn.countDown();
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(texts(id)).containsExactly("first", "second");
	}

	@Test
	void eachAttemptHasItsLines() {
		this.engine.process().maxAttempts(2).handle("test", (payload, context) -> {
			context.log().info("attempt {}", context.attempt());
			throw new IllegalStateException("as planned");
		}).start();
		long id = this.engine.enqueue("test");
		this.engine.awaitState(id, JobState.FAILED);
		assertThat(this.engine.stores().leases().logs().list(id)).extracting(JobLogLine::attempt, JobLogLine::text)
			.containsExactly(tuple(1, "attempt 1"), tuple(2, "attempt 2"));
	}

	@Test
	void theLinesOfATransactionThatIsRolledBackAreKept() {
		this.engine.process()
			.application(this.engine.pool(4))
			.maxAttempts(1)
			.handleInTransaction("test", (payload, context) -> {
				context.log().info("before");
				throw new IllegalStateException("as planned");
			})
			.start();
		long id = this.engine.enqueue("test");
		this.engine.awaitState(id, JobState.FAILED);
		assertThat(texts(id)).containsExactly("before");
	}

	@Test
	void aTransactionalJobHasItsLines() {
		this.engine.process()
			.application(this.engine.pool(4))
			.handleInTransaction("test", (payload, context) -> context.log().info("done"))
			.start();
		assertThat(texts(succeeded())).containsExactly("done");
	}

	@Test
	void aHandlerThatLogsTooMuchIsCutAndTheLastLineSaysSo() {
		AtomicInteger dropped = new AtomicInteger();
		this.engine.process().hooks(TestHooks.of(List.of(), JobListener.NONE, new StoreListener() {

			@Override
			public void logLinesDropped(String queue, String type, int lines) {
				dropped.addAndGet(lines);
			}

		})).handle("test", (payload, context) -> {
			for (int i = 0; i < JobLogger.MAX_LINES + 23; i++) {
				context.log().info("line {}", i);
			}
		}).start();
		long id = succeeded();
		assertThat(texts(id)).hasSize(500)
			.contains("line 999")
			.doesNotContain("line 1000")
			.last()
			.asString()
			.startsWith("23 more lines were dropped");
		assertThat(
				this.engine.number("select sum(json_array_length(lines)) from rowqueue.job_log where job_id = ?", id))
			.isEqualTo(JobLogger.MAX_LINES + 1);
		assertThat(dropped).hasValue(23);
	}

	@Test
	void theBytesOfAnAttemptAreLimitedToo() {
		this.engine.process().handle("test", (payload, context) -> {
			for (int i = 0; i < 100; i++) {
				context.log().info("\u20ac".repeat(3000));
			}
			context.log().info("would fit");
		}).start();
		List<String> texts = texts(succeeded());
		assertThat(texts).hasSize(30).last().asString().startsWith("72 more lines were dropped");
	}

	@Test
	void aLineIsCutAndMadeStorable() {
		this.engine.process()
			.handle("test", (payload, context) -> context.log().info("\0\u001b" + "x".repeat(5000)))
			.start();
		assertThat(texts(succeeded())).singleElement()
			.isEqualTo("\uFFFD\uFFFD" + "x".repeat(JobLogger.MAX_CHARACTERS - 2) + " ...");
	}

	@Test
	void severalThreadsMayLog() {
		this.engine.process().handle("test", (payload, context) -> {
			CompletableFuture<Void> one = Async.run(() -> repeat(context.log()));
			CompletableFuture<Void> other = Async.run(() -> repeat(context.log()));
			one.join();
			other.join();
		}).start();
		assertThat(texts(succeeded())).hasSize(200);
	}

	private static void repeat(JobLogger log) {
		for (int i = 0; i < 100; i++) {
			log.info("line {}", i);
		}
	}

	@Test
	void aHandlerThatLogsNothingHasNoLog() {
		AtomicReference<JobLogger> log = new AtomicReference<>();
		this.engine.process().handle("test", (payload, context) -> log.set(context.log())).start();
		assertThat(texts(succeeded())).isEmpty();
		assertThat(this.engine.count("job_log")).isZero();
		log.get().info("too late, and without effect");
	}

	@Test
	void whatAStaleWorkerLogsIsRejected() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch second = new CountDownLatch(1);
		this.engine.process().maxAttempts(3).handle("test", (payload, context) -> {
			if (context.leaseToken() == 1) {
				running.countDown();
				Async.awaitDeaf(second);
				context.log().info("stale");
				this.goOn.countDown();
				return;
			}
			context.log().info("current");
			second.countDown();
			this.goOn.await();
		}).start();
		long id = this.engine.enqueue("test");
		running.await();
		this.engine.recoverUntil(() -> second.getCount() == 0);
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(texts(id)).containsExactly("current");
	}

	private Instant now() {
		return this.engine.jdbc().queryForObject("select clock_timestamp()", OffsetDateTime.class).toInstant();
	}

	private long succeeded() {
		long id = this.engine.enqueue("test");
		this.engine.awaitState(id, JobState.SUCCEEDED);
		return id;
	}

	private List<String> texts(long id) {
		return this.engine.stores().leases().logs().list(id).stream().map(JobLogLine::text).toList();
	}

}
