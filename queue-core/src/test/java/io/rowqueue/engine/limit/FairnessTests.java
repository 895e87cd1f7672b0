package io.rowqueue.engine.limit;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.rowqueue.engine.worker.WorkerSettings;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Who waits for whom, among jobs that are all due. */
class FairnessTests {

	private static final int MANY = 2000;

	@AutoClose
	private final Engine engine = new Engine();

	private final List<String> order = new CopyOnWriteArrayList<>();

	private volatile boolean alwaysMore;

	@Test
	void aTypeWithAFewJobsDoesNotWaitForAllJobsOfAnotherTypeOfItsPriority() {
		List<String> order = new CopyOnWriteArrayList<>();
		this.engine.queue().enqueueAll(Collections.nCopies(MANY, JobRequest.of("many")));
		this.engine.enqueue("few");
		this.engine.queue().enqueueAll(Collections.nCopies(MANY, JobRequest.of("many")));
		this.engine.process().concurrency(1).prefetch(50).handle("many", (payload, context) -> {
			order.add("many");
			if (order.size() > MANY && order.size() % 100 == 0 && !order.contains("few")) {
				awaitASweep();
			}
		}).handle("few", (payload, context) -> order.add("few")).start();
		this.engine.awaitAllOver();
		assertThat(order).hasSize(2 * MANY + 1);
		assertThat(order.indexOf("few")).isLessThan(MANY + MANY / 2);
	}

	/**
	 * The worker looks at all lanes once a second, however much it has to do; on a busy
	 * machine it may miss the first chance, but not several.
	 */
	private static void awaitASweep() throws InterruptedException {
		new CountDownLatch(1).await(2, TimeUnit.SECONDS);
	}

	/** One that a limit counts is claimed by a statement of its own. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 4 })
	void ordinaryJobsThatHaveWaitedLongerRunBeforeThoseOfALimitedType(int slots) {
		this.engine.limits().set(LimitKind.TYPE, "limited", Limit.concurrency(1000), true);
		enqueue(6, "ordinary");
		enqueue(80, "limited");
		run(slots, "ordinary", "limited");
		assertThat(claimedBeforeTheLast("ordinary")).isLessThanOrEqualTo(slots);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 4 })
	void jobsOfALimitedTypeThatHaveWaitedLongerRunBeforeOrdinaryOnes(int slots) {
		this.engine.limits().set(LimitKind.TYPE, "limited", Limit.concurrency(1000), true);
		enqueue(6, "limited");
		enqueue(80, "ordinary");
		run(slots, "ordinary", "limited");
		assertThat(claimedBeforeTheLast("limited")).isLessThanOrEqualTo(slots);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 4 })
	void ordinaryJobsThatHaveWaitedLongerRunBeforeThoseThatRunTogether(int slots) {
		enqueue(6, "ordinary");
		enqueue(160, "together");
		run(slots, "ordinary", "together");
		assertThat(claimedBeforeTheLast("ordinary")).isLessThanOrEqualTo(slots);
	}

	@Test
	void jobsThatRunTogetherAndHaveWaitedLongerRunBeforeOthers() {
		enqueue(6, "together");
		enqueue(80, "ordinary");
		run(1, "ordinary", "together");
		assertThat(this.order.lastIndexOf("together")).isLessThan(6);
	}

	/** However long their first job has waited. */
	@Test
	void jobsOfAPausedTypeDoNotKeepALimitedOneFromItsTurn() {
		this.engine.limits().set(LimitKind.TYPE, "limited", Limit.concurrency(1000), true);
		this.engine.jdbc().update("insert into rowqueue.pause (kind, name) values ('type', 'paused')");
		enqueue(1, "paused");
		enqueue(6, "limited");
		enqueue(80, "ordinary");
		start(1, "ordinary", "limited", "paused");
		await().until(() -> this.order.size() == 86);
		assertThat(this.order.lastIndexOf("limited")).isLessThan(6);
	}

	@Test
	void aLimitedTypeDoesNotGoBeforeOneWithoutALimitThatRunsTogetherAsWellAndHasWaitedLonger() {
		this.engine.limits().set(LimitKind.TYPE, "together and limited", Limit.concurrency(1000), true);
		enqueue(6, "together");
		enqueue(80, "together and limited");
		run(1, "together", "together and limited");
		assertThat(this.order.lastIndexOf("together")).isLessThan(6);
	}

	@Test
	void jobsOfAHighPriorityTakeNoneOfALowOneAlongThatHasTheSameLimit() {
		this.engine.limits().set(LimitKind.TYPE, "limited", Limit.concurrency(1000), true);
		this.engine.queue().enqueueAll(Collections.nCopies(80, JobRequest.of("limited")));
		this.engine.queue().enqueueAll(Collections.nCopies(6, JobRequest.of("together").priority(3)));
		this.engine.enqueue(JobRequest.of("limited").priority(5));
		run(1, "limited", "together");
		assertThat(this.order.get(0)).isEqualTo("limited");
		assertThat(this.order.lastIndexOf("together")).isLessThan(7);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 4 })
	void allTypesOfOnePriorityRunAlthoughThereAreAlwaysJobsOfEach(int slots) {
		this.engine.limits().set(LimitKind.TYPE, "limited", Limit.concurrency(1000), true);
		String[] types = { "ordinary", "limited", "together" };
		for (String type : types) {
			enqueue(20, type);
		}
		this.alwaysMore = true;
		start(slots, types);
		await("each has its turn again and again").until(
				() -> Stream.of(types).allMatch((type) -> Collections.frequency(List.copyOf(this.order), type) > 100));
		this.alwaysMore = false;
		this.engine.awaitAllOver();
	}

	/**
	 * Returns how many jobs of other types were claimed before the last one of a type.
	 * Where several slots run jobs, the order in which these begin is not that of their
	 * claims: the thread of a slot may have to wait for a processor.
	 */
	private long claimedBeforeTheLast(String type) {
		return this.engine.number("select count(*) from rowqueue.job_finished where type <> ? and leased_at <"
				+ " (select max(leased_at) from rowqueue.job_finished where type = ?)", type, type);
	}

	private void enqueue(int jobs, String type) {
		this.engine.queue().enqueueAll(Collections.nCopies(jobs, JobRequest.of(type)));
	}

	private void run(int slots, String... types) {
		start(slots, types);
		this.engine.awaitAllOver();
	}

	/** Its jobs are not claimed ahead of a free slot. */
	private void start(int slots, String... types) {
		TestProcess.Builder process = this.engine.process().concurrency(slots).prefetch(0);
		for (String type : types) {
			if (type.startsWith("together")) {
				process.register((handlers) -> handlers.addCoalescing(type, String.class,
						HandlerOptions.NONE.coalesce(2), (jobs) -> jobs.forEach((job) -> began(type))));
			}
			else {
				process.handle(type, (payload, context) -> began(type));
			}
		}
		process.start();
	}

	private void began(String type) {
		this.order.add(type);
		if (this.alwaysMore) {
			this.engine.enqueue(type);
		}
	}

	/** With strict priorities it would wait for ever. */
	@Test
	void withAgingAJobOfALowPriorityRunsAlthoughThereAreAlwaysOthers() {
		AtomicBoolean over = new AtomicBoolean();
		TestProcess process = this.engine.process()
			.concurrency(1)
			.aging(WorkerSettings.SHORTEST_AGING)
			.handle("urgent", (payload, context) -> {
				if (!over.get()) {
					this.engine.enqueue(JobRequest.of("urgent").priority(3));
				}
			})
			.handle("low", (payload, context) -> over.set(true))
			.start();
		this.engine.queue().enqueueAll(Collections.nCopies(50, JobRequest.of("urgent").priority(3)));
		long low = this.engine.enqueue(JobRequest.of("low").delay(Duration.ZERO));
		this.engine.awaitState(low, JobState.SUCCEEDED);
		process.stop();
	}

}
