package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import javax.sql.DataSource;

import ch.qos.logback.classic.Level;
import io.rowqueue.CancelJobException;
import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.engine.enqueue.DeclaredTypes;
import io.rowqueue.engine.enqueue.EnqueueHooks;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.lease.Lane;
import io.rowqueue.engine.lease.LaneHead;
import io.rowqueue.engine.listen.JobListeners;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.listen.AttemptEnd.Outcome;
import io.rowqueue.listen.AttemptEnd;
import io.rowqueue.listen.AttemptScope;
import io.rowqueue.listen.EnqueueInterceptor;
import io.rowqueue.listen.JobInterceptor;
import io.rowqueue.listen.JobListener;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.RefusedStatements;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.TestHooks;
import io.rowqueue.testing.WorkerIdentities;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** What those learn who take part in enqueueing and running jobs. */
class HooksTests {

	private final Engine engine = new Engine();

	private final List<String> events = new CopyOnWriteArrayList<>();

	private final List<AttemptEnd> ends = new CopyOnWriteArrayList<>();

	private final AtomicInteger finished = new AtomicInteger();

	private final WorkerHooks hooks = TestHooks.of(List.of(new Noting("outer"), new Noting("inner")),
			new NotingListener(), new StoreListener() {
				@Override
				public void finished(int attempts, Duration took) {
					HooksTests.this.finished.addAndGet(attempts);
				}
			});

	@AfterEach
	void close() throws Exception {
		this.engine.close();
	}

	@Test
	void interceptorsSurroundAnAttemptInOrder() {
		this.engine.process().hooks(this.hooks).handle("type", (payload, job) -> this.events.add("handler")).start();
		this.engine.awaitState(this.engine.enqueue("type"), JobState.SUCCEEDED);
		assertThat(this.events).containsExactly("started", "outer", "inner", "handler", "inner ended", "outer ended",
				"ended SUCCEEDED");
		Awaitility.await().until(this.finished::get, (jobs) -> jobs == 1);
	}

	@Test
	void aScopeLastsUntilTheEndIsToldAndIsToldOfTheError() {
		this.engine.process()
			.hooks(TestHooks.of(List.of(scope("outermost"), scope("scope")), this.hooks.interceptors(),
					this.hooks.listener(), this.hooks.store()))
			.maxAttempts(1)
			.handle("type", (payload, job) -> {
				throw new IllegalStateException("no");
			})
			.start();
		this.engine.awaitState(this.engine.enqueue("type"), JobState.FAILED);
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.events).containsExactly("outermost", "scope", "started", "outer",
					"inner", "inner failed", "outer failed", "scope no", "outermost no", "ended FAILED", "scope closed",
					"outermost closed"));
	}

	@Test
	void aScopeThatFailsAtTheEndHasNoEffectAndOneThatDoesNotOpenFailsTheAttempt() {
		AttemptScope broken = (job, headers) -> {
			if (job.type().equals("not opened")) {
				throw new IllegalStateException("not opened");
			}
			return () -> {
				throw new AssertionError("not closed");
			};
		};
		this.engine.process()
			.hooks(TestHooks.of(List.of(scope("outermost"), broken), List.of(), this.hooks.listener(),
					this.hooks.store()))
			.maxAttempts(1)
			.handle("type", (payload, job) -> this.events.add("handler"))
			.handle("not opened", (payload, job) -> this.events.add("handler"))
			.start();
		this.engine.awaitState(this.engine.enqueue("type"), JobState.SUCCEEDED);
		assertThat(this.events).contains("handler");
		this.events.clear();
		this.engine.awaitState(this.engine.enqueue("not opened"), JobState.FAILED);
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.events).containsExactly("outermost", "outermost not opened",
					"ended FAILED", "outermost closed"));
	}

	@Test
	void aListenerThatFailsInAnyWayCostsNeitherTheJobNorTheSlotAnything() {
		JobListener broken = new JobListener() {

			@Override
			public void started(JobContext job, Duration waited) {
				throw new AssertionError("started");
			}

			@Override
			public void ended(JobContext job, AttemptEnd end) {
				throw new StackOverflowError("ended");
			}

		};
		this.engine.process()
			.hooks(TestHooks.of(List.of(), JobListeners.of(List.of(broken, this.hooks.listener())), this.hooks.store()))
			.concurrency(1)
			.maxAttempts(1)
			.handle("type", (payload, job) -> this.events.add("handler"))
			.handle("fails", (payload, job) -> {
				throw new IllegalStateException("no");
			})
			.start();
		this.engine.awaitState(this.engine.enqueue("fails"), JobState.FAILED);
		this.engine.awaitState(this.engine.enqueue("type"), JobState.SUCCEEDED);
		assertThat(this.events).containsExactly("started", "ended FAILED", "started", "handler", "ended SUCCEEDED");
	}

	@Test
	void anInterceptorThatReturnsNothingFailsTheAttempt() {
		JobInterceptor silent = new JobInterceptor() {

			@Override
			public <T> T run(JobContext job, Map<String, String> headers, Attempt<T> attempt) throws Exception {
				attempt.run();
				return null;
			}

			@Override
			public String toString() {
				return "silent";
			}

		};
		this.engine.process()
			.hooks(TestHooks.of(List.of(silent), JobListener.NONE, StoreListener.NONE))
			.maxAttempts(1)
			.handle("type", (payload, job) -> this.events.add("handler"))
			.register((handlers) -> handlers.addCoalescing("many", String.class, HandlerOptions.NONE.coalesce(2),
					(jobs) -> this.events.add("handler")))
			.start();
		for (String type : List.of("type", "many")) {
			long id = this.engine.enqueue(type);
			this.engine.awaitState(id, JobState.FAILED);
			assertThat(this.engine.failures(id)).singleElement()
				.satisfies((failure) -> assertThat(failure.get("error").toString()).contains("silent returned null"));
		}
		assertThat(this.events).containsExactly("handler", "handler");
	}

	private AttemptScope scope(String name) {
		return (job, headers) -> {
			this.events.add(name);
			return new AttemptScope.Opened() {

				@Override
				public void failed(Throwable error) {
					HooksTests.this.events.add(name + " " + error.getMessage());
				}

				@Override
				public void close() {
					HooksTests.this.events.add(name + " closed");
				}

			};
		};
	}

	@Test
	void anInterceptorSeesAPayloadThatCannotBeRead() {
		this.engine.process()
			.hooks(this.hooks)
			.handle("type", Integer.class, (payload, job) -> this.events.add("handler"))
			.start();
		this.engine.awaitState(this.engine.enqueue(JobRequest.of("type", "no number")), JobState.FAILED);
		assertThat(this.events).contains("outer", "outer failed").doesNotContain("handler");
	}

	@Test
	void anAttemptWhosePayloadCannotBeFetchedDoesNotTakePlace() {
		AtomicInteger fetches = new AtomicInteger();
		DataSource database = new RefusedStatements(this.engine.dataSource(),
				(sql) -> sql.contains("select payload") && fetches.incrementAndGet() <= 2);
		this.engine.process()
			.hooks(this.hooks)
			.through(database)
			.withMaintenance()
			.handle("type", (payload, job) -> this.events.add("handler"))
			.start();
		long id = this.engine.enqueue(JobRequest.of("type", "x".repeat(20_000)));
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(fetches).hasValue(3);
		assertThat(this.engine.job(id).attempt()).isEqualTo(1);
		assertThat(this.events).containsExactly("started", "outer", "inner", "handler", "inner ended", "outer ended",
				"ended SUCCEEDED");
	}

	@Test
	void listenersAreNotifiedOfTheEndOfEachAttempt() {
		this.engine.process().hooks(this.hooks).maxAttempts(2).handle("fails", (payload, job) -> {
			throw new IllegalStateException("no");
		}).handle("cancels", (payload, job) -> {
			throw new CancelJobException("not needed");
		}).handle("waits", (payload, job) -> {
			throw SnoozeJobException.by(Duration.ofHours(1), "later");
		}).start();
		this.engine.awaitState(this.engine.enqueue("fails"), JobState.FAILED);
		assertThat(this.ends).extracting(AttemptEnd::outcome).containsExactly(Outcome.RETRIED, Outcome.FAILED);
		assertThat(this.ends.get(1).error()).hasMessage("no");
		assertThat(this.ends.get(1).lifeTime()).isGreaterThanOrEqualTo(this.ends.get(1).runTime());
		this.ends.clear();
		this.engine.awaitState(this.engine.enqueue("cancels"), JobState.CANCELLED);
		this.engine.awaitState(this.engine.enqueue("waits"), JobState.SCHEDULED);
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.ends).extracting(AttemptEnd::outcome)
				.containsExactly(Outcome.CANCELLED, Outcome.SNOOZED));
	}

	@Test
	void listenersAreNotifiedOfAPermanentFailureOnceItIsCommitted() {
		List<JobState> states = new CopyOnWriteArrayList<>();
		this.engine.process().hooks(TestHooks.of(List.of(), new JobListener() {
			@Override
			public void failed(JobContext job, AttemptEnd end) {
				states.add(HooksTests.this.engine.job(job.id()).state());
				HooksTests.this.ends.add(end);
			}
		}, StoreListener.NONE)).maxAttempts(2).handle("fails", (payload, job) -> {
			throw new IllegalStateException("no");
		}).start();
		this.engine.enqueue("fails");
		Awaitility.await().untilAsserted(() -> assertThat(this.ends).hasSize(1));
		assertThat(states).containsExactly(JobState.FAILED);
		assertThat(this.ends.get(0).outcome()).isEqualTo(Outcome.FAILED);
		assertThat(this.ends.get(0).error()).hasMessage("no");
	}

	@Test
	void listenersAreNotNotifiedOfAPermanentFailureIfTheLeaseWasLost() {
		List<String> news = new CopyOnWriteArrayList<>();
		try (Log log = Log.ofTheEngine()) {
			this.engine.process().hooks(TestHooks.of(List.of(), new JobListener() {
				@Override
				public void failed(JobContext job, AttemptEnd end) {
					news.add("failed");
				}

				@Override
				public void refused(JobContext job) {
					news.add("refused");
				}
			}, StoreListener.NONE)).maxAttempts(1).handle("fails", (payload, job) -> {
				this.engine.jdbc()
					.update("update rowqueue.job set lease = lease + 1, worker_id = -1 where id = ?", job.id());
				throw new IllegalStateException("no");
			}).start();
			this.engine.enqueue("fails");
			Awaitility.await().until(() -> !news.isEmpty());
			assertThat(news).containsExactly("refused");
			assertThat(log.lines(Level.ERROR)).isEmpty();
		}
	}

	@Test
	void headersThatWereGivenAtTheEnqueueArriveWithTheJob() throws Exception {
		List<Map<String, String>> arrived = new CopyOnWriteArrayList<>();
		this.engine.process().hooks(TestHooks.of(List.of(new JobInterceptor() {
			@Override
			public <T> T run(JobContext job, Map<String, String> headers, Attempt<T> attempt) throws Exception {
				arrived.add(headers);
				return attempt.run();
			}
		}), JobListener.NONE, StoreListener.NONE))
			.concurrency(1)
			.handle("type", (payload, job) -> arrived.add(job.headers()))
			.start();
		try (Application application = new Application()) {
			Map<String, String> headers = Map.of("traceparent", "00-1-2-\"", "baggage", "a=ä");
			application.headers = headers;
			long id = application.queue.enqueue("type", null).id();
			this.engine.awaitState(id, JobState.SUCCEEDED);
			assertThat(arrived).containsExactly(headers, headers);
			arrived.clear();
			application.queue.enqueueAll(List.of(JobRequest.of("type"), JobRequest.of("type").uniqueKey("key"),
					JobRequest.of("type").uniqueKey("key").duplicates(DuplicatePolicy.replace()),
					JobRequest.of("type")));
			this.engine.awaitAllOver();
			assertThat(arrived).hasSizeGreaterThanOrEqualTo(6).containsOnly(headers);
			arrived.clear();
			application.headers = Map.of();
			this.engine.awaitState(application.queue.enqueue("type", null).id(), JobState.SUCCEEDED);
			assertThat(arrived).containsOnly(Map.of());
			assertThat(this.events).contains("enqueued type CREATED", "asked for 4", "asked for 1");
		}
	}

	/** PostgreSQL reads them when the job fails and when it expires. */
	@Test
	void aHeaderWithAnyCharacterDelaysNoEndOfAJob() throws Exception {
		List<Map<String, String>> arrived = new CopyOnWriteArrayList<>();
		this.engine.process().handle("fails", (payload, job) -> {
			throw new IllegalStateException("as planned");
		}).handle("after", (payload, job) -> arrived.add(job.headers())).start();
		try (Application application = new Application()) {
			application.headers = Map.of("agent", "a\0b");
			long id = application.queue.enqueue(JobRequest.of("fails").maxAttempts(1).onFailure(JobRequest.of("after")))
				.id();
			this.engine.awaitState(id, JobState.FAILED);
			Awaitility.await().until(() -> !arrived.isEmpty());
			assertThat(arrived.get(0)).containsEntry("agent", "a\uFFFDb");
		}
	}

	@Test
	void aFollowUpKeepsTheHeadersOfItsOwnEnqueue() throws Exception {
		try (Application application = new Application()) {
			JobRequest request = JobRequest.of("type").uniqueKey("key").duplicates(DuplicatePolicy.runAgain());
			application.headers = Map.of("traceparent", "first");
			long first = application.queue.enqueue(request).id();
			this.engine.jdbc().update("update rowqueue.job set state = 'running', worker_id = 1 where id = ?", first);
			application.headers = Map.of("traceparent", "second");
			long second = application.queue.enqueue(request).id();
			this.engine.jdbc().update("delete from rowqueue.job where id = ?", first);
			this.engine.jdbc().queryForList("select rowqueue.release_follow_ups(10)");
			assertThat(this.engine.jdbc()
				.queryForObject("select headers ->> 'traceparent' from rowqueue.job where id = ?", String.class,
						second))
				.isEqualTo("second");
		}
	}

	@Test
	void listenersAreNotifiedOfClaims() {
		List<String> claimed = new CopyOnWriteArrayList<>();
		Stores store = new Stores(this.engine.jdbc(), this.engine.jdbc(), SchemaName.DEFAULT, KeptJobs.ALL,
				new StoreListener() {
					@Override
					public void claimed(int jobs, Duration took) {
						claimed.add(jobs + " job");
					}

					@Override
					public void claimed(String queue, String type) {
						claimed.add(type + " of " + queue);
					}
				});
		long id = this.engine.enqueue("test");
		PoolLane lane = new PoolLane("*", new LaneHead(new Lane("default", "test", 0), LaneHead.NO_MARK));
		long worker = this.engine.workerStore().register(WorkerIdentities.of("test", List.of("*"), List.of("test")));
		assertThat(store.claim(new Claim(worker, Map.of("*", 1), List.of(lane))).jobs())
			.extracting((job) -> job.lease().jobId())
			.containsExactly(id);
		assertThat(claimed).containsExactly("1 job", "test of default");
	}

	private final class Application implements AutoCloseable {

		private final WakeUps wakeUps;

		private final JobQueue queue;

		private Map<String, String> headers = Map.of();

		Application() {
			// the same one, or a job would be committed before what belongs to it
			DataSource dataSource = HooksTests.this.engine.dataSource();
			Stores store = new Stores(new JdbcTemplate(dataSource));
			this.wakeUps = store.wakeUps();
			this.queue = store.queue(dataSource, this.wakeUps, new EnqueueHooks(() -> List.of(new EnqueueInterceptor() {
				@Override
				public <T> T enqueue(List<JobRequest> requests, Map<String, String> given, Supplier<T> enqueue) {
					HooksTests.this.events.add("asked for " + requests.size());
					given.putAll(Application.this.headers);
					return enqueue.get();
				}
			}), NotingListener::new, DeclaredTypes.NONE, DirectStart.NONE, JobWindows.NONE));
		}

		@Override
		public void close() {
			this.wakeUps.close();
		}

	}

	private final class NotingListener implements JobListener {

		@Override
		public void enqueued(JobRequest request, EnqueueResult result) {
			HooksTests.this.events.add("enqueued " + request.type() + " " + result.outcome());
		}

		@Override
		public void started(JobContext job, Duration waited) {
			assertThat(waited.isNegative()).isFalse();
			HooksTests.this.events.add("started");
		}

		@Override
		public void ended(JobContext job, AttemptEnd end) {
			HooksTests.this.events.add("ended " + end.outcome());
			HooksTests.this.ends.add(end);
		}

	}

	private final class Noting implements JobInterceptor {

		private final String name;

		Noting(String name) {
			this.name = name;
		}

		@Override
		public <T> T run(JobContext job, Map<String, String> headers, Attempt<T> attempt) throws Exception {
			HooksTests.this.events.add(this.name);
			try {
				T result = attempt.run();
				HooksTests.this.events.add(this.name + " ended");
				return result;
			}
			catch (Exception ex) {
				HooksTests.this.events.add(this.name + " failed");
				throw ex;
			}
		}

	}

}
