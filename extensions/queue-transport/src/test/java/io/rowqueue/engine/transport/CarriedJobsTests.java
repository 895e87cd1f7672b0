package io.rowqueue.engine.transport;

import java.lang.Thread.State;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.CancelJobException;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.JobLogLine;
import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.StopReason;
import io.rowqueue.control.CancelResult;
import io.rowqueue.engine.handler.InvalidJobHandlerException;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.MemoryBroker;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Transactions;
import io.rowqueue.transport.JobMessage;
import io.rowqueue.transport.TransportSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class CarriedJobsTests {

	private static final Duration NEVER = Duration.ofDays(1);

	private static final long GIVEN = 1000;

	@AutoClose
	private final Engine engine = new Engine();

	private MemoryBroker broker = new MemoryBroker(new Random(1), parkingAfter(NEVER), "push");

	private final List<JobContext> runs = new CopyOnWriteArrayList<>();

	private static TransportSettings parkingAfter(Duration time) {
		return new TransportSettings(true, false, time, DataSize.ofKilobytes(256), false, Duration.ZERO, 1000);
	}

	private JobQueue queue() {
		return this.engine.queue(MemoryBroker.carriage(this.broker.client()));
	}

	private TestProcess.Builder process() {
		return this.engine.process().with(MemoryBroker.carriedBy(this.broker.client()));
	}

	private TestProcess start() {
		return process().handle("push", (payload, context) -> this.runs.add(context)).start();
	}

	private long enqueue() {
		return queue().enqueue("push", "hello").id();
	}

	private void awaitNothingLeft() {
		await().until(() -> this.broker.size() == 0 && outbox() == 0);
		this.engine.awaitAllOver();
	}

	/** A job is not in the database before it is parked. */
	private void awaitState(long id, JobState state) {
		await("job " + id + " " + state).ignoreException(NoSuchElementException.class)
			.until(() -> this.engine.job(id).state() == state);
	}

	private long outbox() {
		return this.engine.count("outbox");
	}

	private long parked() {
		return this.engine.count("parked");
	}

	/** The queue has given the ids that these tests choose. */
	@BeforeEach
	void giveIds() {
		giveIds(this.engine);
	}

	private static void giveIds(Engine engine) {
		engine.jdbc().queryForObject("select setval('rowqueue.job_id_seq', ?)", Long.class, GIVEN);
	}

	/** Any program that may write to the topic can choose any id. */
	@ParameterizedTest
	@ValueSource(longs = { 0, 1, 2, Long.MAX_VALUE - GIVEN - 10, -5 - GIVEN - 10 })
	void anIdThatTheQueueHasNotGivenIsNotTakenFromALaterJob(long ahead) {
		start();
		long last = this.engine.enqueue("other");
		long chosen = last + ahead + 1;
		this.broker.add(message(chosen).payload("{"));
		this.broker.add(message(chosen));
		await().until(() -> this.broker.size() == 0 && this.runs.size() == 1);
		assertThat(this.runs.get(0).id()).isBetween(last + 1, last + 3);
		List<Long> ids = Stream.generate(() -> this.engine.enqueue("other")).limit(5).toList();
		assertThat(ids).doesNotHaveDuplicates().doesNotContain(this.runs.get(0).id());
		assertThat(parked()).isZero();
		long carried = enqueue();
		await("no later job is taken for the one of the record").until(() -> this.runs.size() == 2);
		assertThat(this.runs.get(1).id()).isEqualTo(carried);
	}

	@ParameterizedTest
	@MethodSource
	void whatNoRequestMayContainIsStoredUnderAnIdOfItsOwn(JobMessage message) {
		start();
		this.broker.add(message);
		this.broker.add(message(42));
		await().until(() -> this.broker.size() == 0 && this.runs.size() >= 1);
		long id = this.engine.jdbc()
			.queryForObject("select job_id from rowqueue.taken_key where unique_key like 'Memory%'", Long.class);
		await().until(() -> this.engine.job(id).state().isFinished());
		assertThat(id).isGreaterThan(GIVEN);
		assertThat(this.engine.job(id).queue()).isEqualTo("default");
		assertThat(this.runs).extracting(JobContext::id).contains(42L);
	}

	static Stream<JobMessage> whatNoRequestMayContainIsStoredUnderAnIdOfItsOwn() {
		JobMessage plain = message(41);
		return Stream.of(plain.maxAttempts(-3), plain.maxAttempts(Integer.MAX_VALUE), plain.headers("not json"),
				plain.headers("[1]"), JobMessage.of(41, "push", "de\n\u001bfault", 0),
				JobMessage.of(41, "push", " ", 0), JobMessage.of(41, "push", "default", -1),
				JobMessage.of(-1, "push", "default", 0)
					.headers("{\"tags\":\"a\",\"window\":\"b\",\"long\":\"%s\"}".formatted("x".repeat(500))));
	}

	/** The broker forgets that it was acknowledged. */
	@Test
	void aRecordOfAnotherProgramIsOneJobHoweverOftenItIsDelivered() {
		this.broker.refuse(0.9);
		start();
		this.broker.add(message(0));
		await().until(() -> this.broker.size() == 0 && this.runs.size() == 1);
		this.engine.awaitAllOver();
		assertThat(this.runs).hasSize(1);
		assertThat(parked()).as("what the broker refused is not remembered by an id").isZero();
	}

	/** It cannot be known whether the queue has given the id. */
	@Test
	void aRecordThatCannotBeJudgedWaitsForTheDatabase() {
		this.engine.jdbc().execute("alter view rowqueue.own_ids rename to own_ids_away");
		start();
		this.broker.add(message(42));
		await().until(() -> this.broker.isDelivered(42));
		assertThat(this.runs).isEmpty();
		this.engine.jdbc().execute("alter view rowqueue.own_ids_away rename to own_ids");
		await().until(() -> this.runs.size() == 1 && this.broker.size() == 0);
		assertThat(this.runs.get(0).id()).isEqualTo(42);
	}

	@Test
	void aPlainJobLeavesNothingInTheDatabase() {
		start();
		long id = enqueue();
		await().until(() -> this.runs.size() == 1);
		awaitNothingLeft();
		assertThat(this.runs.get(0).id()).isEqualTo(id);
		assertThat(this.runs.get(0).attempt()).isEqualTo(1);
		assertThat(this.runs.get(0).leaseToken()).isEqualTo(1);
		assertThat(Duration.between(this.runs.get(0).createdAt(), this.engine.queueDatabase().now()))
			.isBetween(Duration.ZERO, Engine.PATIENCE);
		assertThat(this.engine.jobs() + this.engine.finished() + parked()).isZero();
	}

	@Test
	void manyJobsRunOnceEach() {
		Map<Long, AtomicInteger> counts = new ConcurrentHashMap<>();
		process()
			.handle("push",
					(payload, context) -> counts.computeIfAbsent(context.id(), (id) -> new AtomicInteger())
						.incrementAndGet())
			.start();
		queue().enqueueAll(Collections.nCopies(2500, JobRequest.of("push", "hello")));
		await().until(() -> counts.size() == 2500);
		awaitNothingLeft();
		assertThat(counts.values()).allMatch((runs) -> runs.get() == 1);
		assertThat(parked()).isZero();
	}

	@Test
	void theWakeUpReportsCarriedJobsAsArrivalsInTheOutbox() {
		List<Arrivals> heard = new CopyOnWriteArrayList<>();
		HikariDataSource pool = this.engine.pool(2);
		Stores stores = new Stores(new JdbcTemplate(pool));
		try (WakeUps wakeUps = stores.wakeUps()) {
			wakeUps.listen(heard::add);
			JobQueue queue = stores.queue(pool, wakeUps, new JobEndings(), MemoryBroker.carriage(this.broker.client()));
			queue.enqueue("push", "hello");
			queue.enqueueAll(List.of(JobRequest.of("push"), JobRequest.of("other").queue("others")));
		}
		assertThat(heard).containsExactly(new Arrivals(Set.of(), false, true, false),
				new Arrivals(Set.of("others"), false, true, false));
	}

	@Test
	void aJobThatIsRolledBackIsNeverPublished() {
		HikariDataSource pool = this.engine.pool(2);
		Stores stores = new Stores(new JdbcTemplate(pool));
		JobQueue queue = stores.queue(pool, stores.wakeUps(), new JobEndings(),
				MemoryBroker.carriage(this.broker.client()));
		Transactions.template(pool).executeWithoutResult((status) -> {
			queue.enqueue("push", "hello");
			status.setRollbackOnly();
		});
		start();
		long id = enqueue();
		await().until(() -> this.runs.size() == 1);
		assertThat(this.runs.get(0).id()).isEqualTo(id);
		assertThat(this.broker.published()).isEqualTo(1);
	}

	@Test
	void aJobThatAsksForMoreIsKeptInTheDatabase() {
		JobRequest plain = JobRequest.of("push");
		long last = this.engine.enqueue(JobRequest.of("other").delay(NEVER));
		List<JobRequest> requests = List.of(plain.delay(NEVER), plain.runAt(Instant.EPOCH.plusSeconds(1)),
				plain.priority(1), plain.tolerance(Duration.ofSeconds(1)), plain.uniqueKey("key"),
				plain.limitKey("key"), plain.after(last), plain.inDatabase(), JobRequest.of("other"),
				JobRequest.of("push", "x".repeat(256 * 1024)));
		queue().enqueueAll(requests);
		assertThat(outbox()).isZero();
		assertThat(this.engine.jobs()).isEqualTo(requests.size() + 1);
	}

	@Test
	void resultsAreInTheOrderOfTheRequestsWhereverTheJobsGo() {
		List<Long> ids = queue()
			.enqueueAll(List.of(JobRequest.of("push"), JobRequest.of("other"), JobRequest.of("push").inDatabase(),
					JobRequest.of("push")))
			.stream()
			.map((result) -> result.id())
			.toList();
		assertThat(this.engine.jdbc().queryForList("select id from rowqueue.outbox order by id", Long.class))
			.containsExactly(ids.get(0), ids.get(3));
		assertThat(this.engine.jdbc().queryForList("select id from rowqueue.job order by id", Long.class))
			.containsExactly(ids.get(1), ids.get(2));
	}

	@Test
	void aJobThatIsToBePublishedCannotBeAwaited() {
		JobQueue queue = queue();
		long id = queue.enqueue("push", "hello").id();
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> queue.await(id, Duration.ofSeconds(1)))
			.withMessageContaining("carried by Memory")
			.withMessageContaining("inDatabase()");
	}

	@Test
	void aJobThatFailsIsParkedAndRetried() {
		process().handle("push", (payload, context) -> {
			this.runs.add(context);
			if (context.attempt() == 1) {
				throw new IllegalStateException("as planned");
			}
		}).start();
		long id = enqueue();
		awaitState(id, JobState.SUCCEEDED);
		awaitNothingLeft();
		assertThat(this.runs).extracting(JobContext::attempt).containsExactly(1, 2);
		assertThat(this.runs).extracting(JobContext::leaseToken).containsExactly(1, 2);
		assertThat(this.engine.failures(id)).singleElement()
			.satisfies((failure) -> assertThat((String) failure.get("error")).contains("as planned"));
	}

	@Test
	void aJobThatIsSnoozedWaitsInTheDatabase() {
		process().handle("push", (payload, context) -> {
			throw SnoozeJobException.by(NEVER);
		}).start();
		long id = enqueue();
		await().until(() -> this.engine.count("job where state = 'scheduled'") == 1);
		await().until(() -> this.broker.size() == 0);
		assertThat(this.engine.job(id).attempt()).isZero();
	}

	@Test
	void aJobThatItsHandlerCancelsIsInTheHistory() {
		process().handle("push", (payload, context) -> {
			throw new CancelJobException("not needed");
		}).start();
		awaitState(enqueue(), JobState.CANCELLED);
		awaitNothingLeft();
	}

	@Test
	void aJobThatRunsForLongIsParkedAndCanBeCancelled() throws InterruptedException {
		this.broker = new MemoryBroker(new Random(1), parkingAfter(Duration.ofMillis(50)), "push");
		CountDownLatch interrupted = new CountDownLatch(1);
		process().handle("push", (payload, context) -> {
			try {
				new CountDownLatch(1).await();
			}
			finally {
				interrupted.countDown();
			}
		}).start();
		long id = enqueue();
		awaitState(id, JobState.RUNNING);
		await().until(() -> this.broker.size() == 0);
		assertThat(this.engine.control().cancel(id)).isNotNull();
		interrupted.await();
		awaitState(id, JobState.CANCELLED);
	}

	@Test
	void aJobThatRunsForLongAndSucceedsIsInTheHistoryOnce() {
		this.broker = new MemoryBroker(new Random(1), parkingAfter(Duration.ofMillis(20)), "push");
		process().handle("push", (payload, context) -> {
			this.runs.add(context);
			await().until(() -> parked() == 1);
		}).start();
		long id = enqueue();
		awaitState(id, JobState.SUCCEEDED);
		awaitNothingLeft();
		assertThat(this.runs).hasSize(1);
		assertThat(this.engine.count("job_finished where id = " + id)).isEqualTo(1);
	}

	@Test
	void progressAndStepsParkTheJob() {
		AtomicInteger done = new AtomicInteger();
		CountDownLatch release = new CountDownLatch(1);
		process().handle("push", (payload, context) -> {
			context.progress(1, 2, "half");
			context.step("once", done::incrementAndGet, Integer.class);
			release.await();
		}).start();
		long id = enqueue();
		await().until(() -> this.engine.count("job_progress where done = 1") == 1);
		await().until(() -> this.engine.count("job_step where job_id = " + id) == 1);
		release.countDown();
		awaitState(id, JobState.SUCCEEDED);
		awaitNothingLeft();
	}

	@Test
	void theLogOfAJobIsStoredIfItIsParked() {
		process().handle("push", (payload, context) -> {
			context.log().info("before");
			context.step("once", () -> 1, Integer.class);
		}).start();
		long id = enqueue();
		awaitState(id, JobState.SUCCEEDED);
		assertThat(this.engine.stores().leases().logs().list(id)).extracting(JobLogLine::text)
			.containsExactly("before");
	}

	@Test
	void aLogAloneDoesNotParkTheJob() {
		process().handle("push", (payload, context) -> {
			context.log().info("plain");
			this.runs.add(context);
		}).start();
		enqueue();
		await().until(() -> !this.runs.isEmpty());
		awaitNothingLeft();
		assertThat(parked()).isZero();
		assertThat(this.engine.count("job_log")).isZero();
	}

	@Test
	void aJobThatWasDeliveredBeforeIsParkedAndRunsFromTheDatabase() throws InterruptedException {
		this.broker.add(message(42));
		deliverToAProcessThatDies();
		start();
		awaitState(42, JobState.SUCCEEDED);
		awaitNothingLeft();
		assertThat(this.runs).singleElement().satisfies((run) -> {
			assertThat(run.leaseToken()).as("larger than that of the first delivery").isEqualTo(2);
			assertThat(run.attempt()).isEqualTo(1);
		});
	}

	@Test
	void aDeliveryOfAJobThatTheDatabaseHasTakenOverIsDropped() throws InterruptedException {
		this.engine.jdbc().update("insert into rowqueue.parked (job_id) values (42)");
		this.broker.add(message(42));
		deliverToAProcessThatDies();
		start();
		awaitNothingLeft();
		assertThat(this.runs).isEmpty();
		assertThat(this.engine.jobs()).isZero();
	}

	@Test
	void aJobThatRunsTwiceAtOnceInOneProcessDoesNot() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		process().handle("push", (payload, context) -> {
			this.runs.add(context);
			running.countDown();
			release.await();
		}).start();
		this.broker.add(message(42));
		running.await();
		this.broker.add(message(42));
		this.broker.add(message(43));
		await("the second delivery has arrived").until(() -> this.runs.size() == 2);
		release.countDown();
		awaitNothingLeft();
		assertThat(this.runs).extracting(JobContext::id).containsExactly(42L, 43L);
	}

	@Test
	void aJobThatIsDeliveredTwiceAtOnceRunsOnce() {
		this.broker = new MemoryBroker(new Random(1),
				new TransportSettings(true, false, NEVER, DataSize.ofKilobytes(256), true, Duration.ZERO, 1000),
				"push");
		this.broker.add(message(42));
		this.broker.add(message(42));
		start();
		await().until(() -> this.engine.finished() > 0);
		awaitNothingLeft();
		assertThat(this.runs).hasSize(1);
		assertThat(this.engine.finished()).isEqualTo(1);
	}

	@Test
	void aJobThatAnotherProcessHasTakenOverIsToldSo() throws InterruptedException {
		AtomicReference<JobContext> run = new AtomicReference<>();
		CountDownLatch ended = new CountDownLatch(1);
		process().handle("push", (payload, context) -> {
			run.set(context);
			try {
				await().until(context::stopRequested);
				throw new IllegalStateException("its failure does not count");
			}
			finally {
				ended.countDown();
			}
		}).start();
		this.broker.add(message(42));
		await().until(() -> run.get() != null);
		this.engine.jdbc().update("insert into rowqueue.parked (job_id) values (42)");
		run.get().progress(1, 2, null); // which parks it
		ended.await();
		assertThat(run.get().stopReason()).isEqualTo(StopReason.LEASE_LOST);
		awaitNothingLeft();
		assertThat(this.engine.jobs() + this.engine.finished()).isZero();
	}

	@Test
	void aJobOfAQueueWithoutSlotsIsParked() {
		process().concurrency(0)
			.concurrency("fast", 2)
			.handle("push", (payload, context) -> this.runs.add(context))
			.start();
		long id = queue().enqueue(JobRequest.of("push").queue("slow")).id();
		queue().enqueue(JobRequest.of("push").queue("fast"));
		await().until(() -> this.runs.size() == 1 && parked() == 1 && this.broker.size() == 0);
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.QUEUED);
	}

	@Test
	void aJobOfAPausedQueueIsParked() {
		this.engine.control().pauseQueue("default", "a test");
		start();
		long id = enqueue();
		await().until(() -> parked() == 1 && this.broker.size() == 0);
		assertThat(this.runs).isEmpty();
		this.engine.control().resumeQueue("default");
		awaitState(id, JobState.SUCCEEDED);
		assertThat(this.runs).singleElement().satisfies((run) -> assertThat(run.leaseToken()).isEqualTo(1));
	}

	/** The database counts what it allows. */
	@Test
	void aJobOfATypeWithALimitOfTheClusterIsParked() {
		this.engine.limits().set(LimitKind.TYPE, "push", Limit.concurrency(1), true);
		start();
		long id = enqueue();
		awaitState(id, JobState.SUCCEEDED);
		awaitNothingLeft();
		assertThat(this.runs).hasSize(1);
		assertThat(parked()).isEqualTo(1);
	}

	@Test
	void aFailureToParkJobsIsLoggedOnceUntilItEnds() throws Exception {
		try (Engine own = Engine.withOwnDatabase(); Log log = new Log(Outage.class)) {
			giveIds(own);
			own.jdbc().execute("create sequence tries");
			own.jdbc().execute("""
					create function refused() returns trigger language plpgsql as $$
					begin perform nextval('public.tries'); raise exception 'not now, says the test'; end $$""");
			own.jdbc()
				.execute(
						"create trigger refused before insert on rowqueue.parked for each statement execute function refused()");
			own.control().pauseQueue("default", "a test");
			own.process().with(MemoryBroker.carriedBy(this.broker.client())).handle("push", (payload, context) -> {
			}).start();
			this.broker.add(message(41));
			await().until(() -> own.number("select last_value from tries") > 3);
			assertThat(log.lines(Level.INFO)).singleElement()
				.asString()
				.startsWith("rowqueue-receiver-push (parking) failed and retries until it succeeds");
			own.jdbc().execute("drop trigger refused on rowqueue.parked");
			await().until(() -> this.broker.size() == 0);
			assertThat(log.lines(Level.INFO)).hasSize(2)
				.last()
				.isEqualTo("rowqueue-receiver-push (parking) works again");
		}
	}

	@Test
	void jobsOfAPausedTypeWaitInTheBroker() {
		this.engine.control().pauseType("push", "a test");
		start();
		enqueue();
		await().until(() -> this.broker.size() == 1 && this.broker.consumers() > 0);
		assertThat(this.engine.jobs() + parked()).isZero();
		this.engine.control().resumeType("push");
		await().until(() -> this.runs.size() == 1);
	}

	@Test
	void aStoppedWorkerParksWhatItHasNotStarted() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		TestProcess process = process().concurrency(1).handle("push", (payload, context) -> {
			this.runs.add(context);
			running.countDown();
			release.await();
		}).start();
		queue().enqueueAll(Collections.nCopies(5, JobRequest.of("push")));
		running.await();
		var stop = Async.run(process::stop);
		await().until(() -> this.runs.get(0).stopRequested());
		release.countDown();
		stop.join();
		assertThat(this.runs).hasSize(1);
		assertThat(this.broker.consumers()).isZero();
		assertThat(this.broker.size() + this.engine.jobs(JobState.QUEUED) + outbox()).isEqualTo(4);
		assertThat(this.engine.leased()).isZero();
		assertThat(this.engine.count("job where attempt > 0")).isZero();
	}

	@Test
	void aPayloadThatIsNoJsonFailsAndHoldsUpNoOther() {
		start();
		this.broker.add(JobMessage.of(41, "push", "default", 0).payload("{"));
		this.broker.add(message(42));
		await().until(() -> this.runs.size() == 1);
		awaitState(41, JobState.FAILED);
		awaitNothingLeft();
		assertThat(this.engine.job(41).payload()).contains("unreadable");
	}

	@Test
	void successesAreInTheHistoryIfTheTransportKeepsIt() {
		this.broker = new MemoryBroker(new Random(1),
				new TransportSettings(true, false, NEVER, DataSize.ofKilobytes(256), true, Duration.ZERO, 1000),
				"push");
		start();
		List<Long> ids = queue().enqueueAll(Collections.nCopies(50, JobRequest.of("push")))
			.stream()
			.map((result) -> result.id())
			.toList();
		await().until(() -> this.engine.finished() == 50);
		awaitNothingLeft();
		assertThat(ids).allMatch((id) -> this.engine.job(id).state() == JobState.SUCCEEDED);
		this.broker.add(message(ids.get(0)));
		awaitNothingLeft();
		assertThat(this.engine.finished()).isEqualTo(50);
	}

	@Test
	void aJobIsNotParkedWhileItsSuccessIsBeingStored() throws SQLException {
		this.broker = new MemoryBroker(new Random(1), new TransportSettings(true, false, Duration.ofMillis(500),
				DataSize.ofKilobytes(256), true, Duration.ZERO, 1000), "push");
		start();
		long id;
		try (OpenTransaction reader = this.engine.begin()) {
			// no row gets in
			reader.execute("lock table {schema}.job_finished in share mode");
			id = enqueue();
			await("the job is old enough").until(() -> parked() > 0 || isParkingBlocked());
		}
		awaitState(id, JobState.SUCCEEDED);
		awaitNothingLeft();
		assertThat(this.runs).hasSize(1);
		assertThat(this.engine.jobs()).isZero();
	}

	private static boolean isParkingBlocked() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch(
					(thread) -> thread.getName().startsWith("rowqueue-parking") && thread.getState() == State.BLOCKED);
	}

	@Test
	void aRefusedAcknowledgementDoesNotRunTheJobAgain() {
		this.broker.refuse(1);
		start();
		this.broker.add(message(42));
		await("the job is recorded as over").until(() -> parked() == 1);
		this.broker.refuse(0);
		awaitNothingLeft();
		assertThat(this.runs).hasSize(1);
		assertThat(this.engine.jobs() + this.engine.finished()).isZero();
	}

	@Test
	void quickJobsGoOnWhileTheDatabaseIsAway() throws Exception {
		try (Engine own = Engine.withOwnDatabase()) {
			giveIds(own);
			AtomicInteger attempts = new AtomicInteger();
			own.process()
				.failingSoon()
				.with(MemoryBroker.carriedBy(this.broker.client()))
				.handle("push", String.class, (payload, context) -> {
					this.runs.add(context);
					if (payload.equals("fail") && attempts.incrementAndGet() == 1) {
						throw new IllegalStateException("as planned");
					}
				})
				.start();
			this.broker.add(message(41));
			await().until(() -> this.runs.size() == 1);
			own.allowConnections(false);
			for (int id = 42; id < 52; id++) {
				this.broker.add(message(id));
			}
			await().until(() -> this.runs.size() == 11 && this.broker.size() == 0);
			this.broker.add(JobMessage.of(52, "push", "default", 0).payload("\"fail\""));
			await().until(() -> attempts.get() == 1);
			this.broker.add(message(53));
			assertThat(this.broker.size()).as("what must be parked waits").isGreaterThan(0);
			own.allowConnections(true);
			await().ignoreExceptions().until(() -> own.job(52).state() == JobState.SUCCEEDED);
			await().until(() -> this.broker.size() == 0);
			assertThat(attempts).hasValue(2);
		}
	}

	@Test
	void aJobWhoseDeliveryIsLostIsNotStarted() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		process().concurrency(1).handle("push", (payload, context) -> {
			if (context.id() < 41) {
				return; // so that the worker learns to hold more than it runs
			}
			this.runs.add(context);
			running.countDown();
			release.await();
		}).start();
		for (int id = 1; id <= 40; id++) {
			this.broker.add(message(id));
		}
		await().until(() -> this.broker.size() == 0);
		this.broker.add(message(41));
		running.await();
		this.broker.lock(Duration.ofMillis(1));
		this.broker.add(message(42));
		await().until(() -> this.broker.isDelivered(42));
		MemoryBroker.Client other = this.broker.client();
		this.broker.deliverTo(other, 42);
		this.broker.lock(NEVER);
		release.countDown();
		await("the other delivery alone is left").until(() -> this.broker.size() == 1);
		other.kill();
		awaitState(42, JobState.SUCCEEDED);
		assertThat(this.runs).extracting(JobContext::id).containsExactly(41L, 42L);
		assertThat(this.runs.get(1).leaseToken()).isGreaterThan(1);
	}

	@Test
	void aJobThatIsToBePublishedIsFoundAndCancelled() {
		long id = enqueue();
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.QUEUED);
		assertThat(this.engine.control().cancel(id)).isEqualTo(CancelResult.CANCELLED);
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.CANCELLED);
		assertThat(outbox()).isZero();
	}

	@Test
	void aJobThatTheBrokerHasGivenUpIsKeptAsFailed() {
		this.broker.giveUp(message(42));
		start();
		awaitState(42, JobState.FAILED);
		assertThat(this.engine.job(42).lastError()).contains("given up by Memory after 10 deliveries");
		assertThat(this.engine.failures(42)).hasSize(1);
		assertThat(this.runs).isEmpty();
	}

	@Test
	void claimedJobsAndDeliveredOnesShareTheSlots() {
		AtomicInteger running = new AtomicInteger();
		AtomicInteger maxRunning = new AtomicInteger();
		AtomicInteger claimed = new AtomicInteger();
		process().concurrency(2).handle("push", (payload, context) -> {
			maxRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
			claimed.addAndGet("claimed".equals(payload) ? 1 : 0);
			this.runs.add(context);
			running.decrementAndGet();
		}).start();
		queue().enqueueAll(Collections.nCopies(2000, JobRequest.of("push", "delivered")));
		queue().enqueueAll(Collections.nCopies(2000, JobRequest.of("push", "claimed").inDatabase()));
		await().until(() -> this.runs.size() == 4000);
		awaitNothingLeft();
		assertThat(claimed).hasValue(2000);
		assertThat(maxRunning.get()).isLessThanOrEqualTo(2);
	}

	@Test
	void typesWhoseHandlersNeedTheDatabaseAreRejected() {
		assertRejected(HandlerOptions.NONE.transactional(true), "transactional");
		assertRejected(HandlerOptions.NONE.concurrency(3), "slots of its own");
	}

	private void assertRejected(HandlerOptions options, String reason) {
		assertThatExceptionOfType(InvalidJobHandlerException.class)
			.isThrownBy(() -> process().handle("push", options, (payload, context) -> this.runs.add(context)).start())
			.withMessageContaining(reason)
			.withMessageContaining("Memory");
	}

	private void deliverToAProcessThatDies() throws InterruptedException {
		MemoryBroker.Client dead = this.broker.client();
		assertThat(dead.createConsumer("push").poll(1, Duration.ofSeconds(1))).hasSize(1);
		dead.kill();
	}

	private static JobMessage message(long id) {
		return JobMessage.of(id, "push", "default", 0).payload("\"hello\"");
	}

}
