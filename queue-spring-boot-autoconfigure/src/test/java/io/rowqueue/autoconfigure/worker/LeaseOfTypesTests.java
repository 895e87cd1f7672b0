package io.rowqueue.autoconfigure.worker;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rowqueue.Job;
import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.JobState;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.Notes;
import io.rowqueue.autoconfigure.SlowNetwork;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.testing.ListBroker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Types whose jobs are recovered sooner than others from a process that is frozen. */
@ExtendWith(OutputCaptureExtension.class)
class LeaseOfTypesTests {

	private static final String[] URGENT = { "rowqueue.types.urgent.lease=5s", "rowqueue.types.urgent.concurrency=2" };

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	@Test
	void aFrozenProcessLosesItsJobsOfTheTypeAndKeepsTheOthers() throws Exception {
		Handlers frozen = new Handlers(new CountDownLatch(1));
		Handlers other = new Handlers(new CountDownLatch(0));
		String minute = "rowqueue.types.urgent.lease=1m";
		try (SlowNetwork network = new SlowNetwork(this.database.url())) {
			application(frozen).withPropertyValues("spring.datasource.url=" + network.url(), minute).run((context) -> {
				JobQueue queue = context.getBean(JobQueue.class);
				long urgent = queue.enqueue("urgent", null).id();
				long plain = queue.enqueue("plain", null).id();
				Awaitility.await().until(() -> running(urgent) && running(plain));
				String workers = this.database.query("select array_agg(id)::text from rowqueue.worker", String.class);
				application(other).withPropertyValues(minute).run((second) -> {
					JobQueue elsewhere = second.getBean(JobQueue.class);
					network.freeze();
					this.database
						.execute("update rowqueue.worker set heartbeat_at = heartbeat_at - interval '2 minutes'"
								+ " where id = any ('%s')".formatted(workers));
					await(elsewhere, urgent, JobState.SUCCEEDED);
					assertThat(other.ran).containsExactly("urgent");
					assertThat(elsewhere.find(plain)).hasValueSatisfying(
							(job) -> assertThat(job.state()).as("its worker is alive").isEqualTo(JobState.RUNNING));
					network.goOn();
					frozen.mayEnd.countDown(); // the one that has lost its job ends too
												// late
					await(elsewhere, plain, JobState.SUCCEEDED);
				});
				assertThat(queue.find(plain)).map(Job::attempt).hasValue(1);
				assertThat(queue.find(urgent)).map(Job::attempt).hasValue(2);
				assertThat(frozen.ran).contains("plain");
				assertThat(this.database.count("select count(*) from rowqueue.job_finished where type = 'urgent'"))
					.as("its late outcome was rejected")
					.isOne();
				await(queue, queue.enqueue("urgent", null).id(), JobState.SUCCEEDED); // by
																						// a
																						// new
																						// worker
			});
		}
	}

	@Test
	void itsJobsRunInAWorkerOfTheirOwn() {
		Handlers handlers = new Handlers(new CountDownLatch(0));
		application(handlers).withPropertyValues("rowqueue.worker.lease=30s", "rowqueue.types.mail.lease=5s")
			.withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> {
				Awaitility.await().until(() -> this.database.count("select count(*) from rowqueue.worker") == 2);
				assertThat(worker("{plain}", "30 s")).isEqualTo("10");
				assertThat(worker("{mail,urgent}", "5 s")).as("the sum of their concurrencies").isEqualTo("3");
				JobQueue queue = context.getBean(JobQueue.class);
				queue.enqueue("plain", null);
				queue.enqueue("mail", null);
				queue.enqueue("urgent", null);
				Awaitility.await().until(() -> handlers.ran.size() == 3);
				assertThat(context.getBean(SimpleMeterRegistry.class)
					.get("rowqueue.worker.slots")
					.tag("pool", "*")
					.tag("state", "free")
					.gauge()
					.value()).as("those of both workers").isLessThanOrEqualTo(13).isGreaterThan(9);
			});
		assertThat(this.database.count("select count(*) from rowqueue.worker")).as("both have stopped").isZero();
	}

	/** Its threads have names of their own. */
	@Test
	void aFailureOfOneWorkerIsLoggedOnceWhileTheOthersWork(CapturedOutput output) {
		this.database.execute("create sequence tries");
		this.database.execute("""
				create function refused() returns trigger language plpgsql as $$
				begin perform nextval('public.tries'); raise exception 'no heartbeats, says the test'; end $$""");
		this.database.execute("create trigger refused before update of heartbeat_at on rowqueue.worker for each row"
				+ " when (new.lease = interval '5 seconds') execute function refused()");
		application(new Handlers(new CountDownLatch(0))).run((context) -> {
			Awaitility.await().until(() -> tries() > 2);
			long beats = beats();
			Awaitility.await("the other worker works").until(() -> beats() > beats + 1);
			long tries = tries();
			Awaitility.await().until(() -> tries() > tries + 1);
			assertThat(output.getOut().lines())
				.filteredOn((line) -> line.matches(".*rowqueue-heartbeat.* (failed and retries|works again).*"))
				.singleElement()
				.asString()
				.contains("rowqueue-heartbeat (lease PT5S) failed");
		});
	}

	private long tries() {
		return this.database.count("select last_value from tries");
	}

	private long beats() {
		return this.database
			.count("select coalesce(max(heartbeats), 0) from rowqueue.worker where lease > interval '5 seconds'");
	}

	@Test
	void aProcessWhoseTypesHaveNoLeaseHasOneWorker() {
		Applications.on(this.database)
			.withBean(Handlers.class, () -> new Handlers(new CountDownLatch(0)))
			.withPropertyValues("rowqueue.types.urgent.concurrency=2", "rowqueue.types.urgent.lease=30s")
			.run((context) -> {
				Awaitility.await().until(() -> this.database.count("select count(*) from rowqueue.worker") > 0);
				assertThat(worker("{mail,plain,urgent}", "30 s")).as("the lease is the one of the worker")
					.isEqualTo("10");
				assertThat(this.database.count("select count(*) from rowqueue.worker")).isOne();
			});
	}

	@Test
	void aLeaseWithoutAConcurrencyFailsTheStart() {
		Applications.on(this.database)
			.withBean(Handlers.class, () -> new Handlers(new CountDownLatch(0)))
			.withPropertyValues("rowqueue.types.urgent.lease=5s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("rowqueue.types.urgent.lease")
				.hasMessageContaining("set rowqueue.types.urgent.concurrency as well"));
	}

	@Test
	void aLeaseThatIsTooShortFailsTheStart() {
		application(new Handlers(new CountDownLatch(0))).withPropertyValues("rowqueue.types.urgent.lease=2s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("rowqueue.types.urgent.lease must be 5 seconds or longer, not PT2S"));
	}

	@Test
	void aPoolThatIsTooSmallForTheWorkersFailsTheStart() {
		application(new Handlers(new CountDownLatch(0)))
			.withPropertyValues("rowqueue.types.mail.lease=10s", "rowqueue.connection.maximum-pool-size=14")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("rowqueue.connection.maximum-pool-size")
				.hasMessageContaining("has 3 workers")
				.hasMessageContaining("at least 15 connections"));
	}

	@Test
	void aLeaseOfATypeThatABrokerCarriesFailsTheStart() {
		for (String concurrency : new String[] { "", "rowqueue.types.note.concurrency=2" }) {
			Applications.on(this.database)
				.withBean(Notes.class)
				.withBean(ListBroker.class)
				.withPropertyValues("rowqueue.types.note.lease=5s", concurrency)
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.hasMessageContaining("rowqueue.types.note.lease")
					.hasMessageContaining("a list is to carry the jobs of this type")
					.hasMessageContaining("remove this property, or the type from those that a list carries"));
		}
	}

	@Test
	void aTypeThatABrokerCarriesMayNameTheLeaseOfTheWorker() {
		Applications.on(this.database)
			.withBean(Notes.class)
			.withBean(ListBroker.class)
			.withPropertyValues("rowqueue.types.note.lease=30s")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private String worker(String types, String lease) {
		return this.database.query(
				"select slots ->> '*' from rowqueue.worker where types @> '%s' and types <@ '%s' and lease = interval '%s'"
					.formatted(types, types, lease),
				String.class);
	}

	private boolean running(long job) {
		return this.database.count("select count(*) from rowqueue.job where state = 'running' and id = " + job) == 1;
	}

	private static void await(JobQueue queue, long id, JobState state) {
		Awaitility.await().until(() -> queue.find(id).map(Job::state).filter(state::equals).isPresent());
	}

	/** Its main worker has a lease that does not end in any of the tests. */
	private ApplicationContextRunner application(Handlers handlers) {
		return Applications.on(this.database)
			.withBean(Handlers.class, () -> handlers)
			.withPropertyValues("rowqueue.worker.lease=10m", "rowqueue.types.mail.concurrency=1")
			.withPropertyValues(URGENT);
	}

	static class Handlers {

		private final CountDownLatch mayEnd;

		private final BlockingQueue<String> ran = new LinkedBlockingQueue<>();

		Handlers(CountDownLatch mayEnd) {
			this.mayEnd = mayEnd;
		}

		@JobHandler("urgent")
		void urgent(JobContext job) throws InterruptedException {
			run(job);
		}

		@JobHandler("plain")
		void plain(JobContext job) throws InterruptedException {
			run(job);
		}

		@JobHandler(value = "mail", concurrency = 1)
		void mail(JobContext job) throws InterruptedException {
			run(job);
		}

		private void run(JobContext job) throws InterruptedException {
			this.mayEnd.await();
			this.ran.add(job.type());
		}

	}

}
