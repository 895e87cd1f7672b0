package io.rowqueue.engine.handler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.rowqueue.CoalescedJob;
import io.rowqueue.FailJobException;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobHandlers.CoalescingHandler;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/** Jobs of a type that are run in one call of their handler. */
class CoalescingTests {

	private static final HandlerOptions UP_TO_TEN = HandlerOptions.NONE.coalesce(10);

	@AutoClose
	private final Engine engine = new Engine();

	private final List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());

	@Test
	void thoseThatAreDueRunTogether() {
		enqueue(7);
		start(UP_TO_TEN, this::note);
		this.engine.awaitAllOver();
		assertThat(this.sizes).containsExactly(7);
	}

	@Test
	void aCallHasNoMoreThanItMay() {
		enqueue(25);
		start(UP_TO_TEN, this::note);
		this.engine.awaitAllOver();
		assertThat(this.sizes).allMatch((size) -> size <= 10).contains(10);
		assertThat(this.sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(25);
	}

	/** They are claimed for free slots only: each that becomes free must ask for more. */
	@Test
	void aBacklogIsWorkedOffAsSlotsBecomeFree() {
		process(UP_TO_TEN, this::note).withoutPolling().concurrency(4).startAndListen();
		enqueue(20);
		this.engine.awaitAllOver();
		enqueue(1000);
		this.engine.awaitAllOver();
		assertThat(this.sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(1020);
	}

	@Test
	void aGatheringJobIsNotForgottenWhileAnotherPoolIsBusy() {
		process(HandlerOptions.NONE.coalesce(3, Duration.ofHours(1)), this::note).concurrency("own", 1)
			.withoutPolling()
			.startAndListen();
		this.engine.enqueue("b");
		this.engine.awaitAllOver();
		long waited = this.engine.enqueue(JobRequest.of("a").queue("own").tolerance(Duration.ofSeconds(1)));
		while (this.engine.count("job where order_at > clock_timestamp()") > 0) {
			this.engine.awaitState(this.engine.enqueue("b"), JobState.SUCCEEDED);
		}
		this.engine.awaitState(waited, JobState.SUCCEEDED);
	}

	@Test
	void oneCanFailAloneAndIsRetriedAlone() {
		List<Long> ids = enqueue(5);
		long bad = ids.get(2);
		start(UP_TO_TEN.maxAttempts(2), (jobs) -> {
			note(jobs);
			jobs.stream()
				.filter((job) -> job.context().id() == bad)
				.forEach((job) -> job.fail(new IllegalStateException("this one")));
		});
		this.engine.awaitAllOver();
		assertThat(this.sizes).containsExactly(5, 1);
		assertThat(this.engine.failures(bad)).hasSize(2)
			.allSatisfy((failure) -> assertThat(failure.get("error").toString()).contains("this one"));
		ids.remove(bad);
		assertThat(ids).allMatch((id) -> this.engine.job(id).state() == JobState.SUCCEEDED);
	}

	@Test
	void anExceptionFailsEachOfThem() {
		List<Long> ids = enqueue(4);
		AtomicInteger calls = new AtomicInteger();
		start(UP_TO_TEN, (jobs) -> {
			if (calls.incrementAndGet() == 1) {
				throw new IllegalStateException("all of them");
			}
		});
		this.engine.awaitAllOver();
		assertThat(ids).allSatisfy((id) -> {
			assertThat(this.engine.job(id).attempt()).isEqualTo(2);
			assertThat(this.engine.failures(id)).hasSize(1);
		});
	}

	@Test
	void aPayloadThatDoesNotFitFailsAlone() {
		long bad = this.engine.queue().enqueue("a", List.of("no", "number")).id();
		List<Long> good = List.of(this.engine.queue().enqueue("a", 1).id(), this.engine.queue().enqueue("a", 2).id());
		List<Integer> numbers = Collections.synchronizedList(new ArrayList<>());
		this.engine.process()
			.register((handlers) -> handlers.addCoalescing("a", Integer.class, UP_TO_TEN,
					(jobs) -> jobs.forEach((job) -> numbers.add(job.payload()))))
			.start();
		good.forEach((id) -> this.engine.awaitState(id, JobState.SUCCEEDED));
		this.engine.awaitState(bad, JobState.FAILED);
		assertThat(numbers).containsExactlyInAnyOrder(1, 2);
	}

	@Test
	void whatTheFirstOneToleratesIsWaitedForOthers() {
		start(HandlerOptions.NONE.coalesce(3, Duration.ofHours(1)), this::note);
		JobRequest tolerant = JobRequest.of("a").tolerance(Duration.ofHours(1));
		this.engine.enqueue(tolerant);
		this.engine.enqueue(tolerant);
		long other = this.engine.enqueue("b");
		this.engine.awaitState(other, JobState.SUCCEEDED);
		assertThat(this.sizes).isEmpty();
		this.engine.enqueue(tolerant);
		this.engine.awaitAllOver();
		assertThat(this.sizes).containsExactly(3);
	}

	@Test
	void aJobRunsAloneWhenItsToleranceHasPassed() {
		start(HandlerOptions.NONE.coalesce(3, Duration.ofHours(1)), this::note);
		this.engine.enqueue(JobRequest.of("a").tolerance(Duration.ofMillis(300)));
		this.engine.awaitAllOver();
		assertThat(this.engine
			.number("select extract(epoch from leased_at - run_at) * 1000 from rowqueue.job_finished where type = 'a'"))
			.isGreaterThanOrEqualTo(300);
	}

	@Test
	void oneThatToleratesNothingDoesNotWait() {
		start(HandlerOptions.NONE.coalesce(3, Duration.ofHours(1)), this::note);
		this.engine.enqueue("a");
		this.engine.awaitAllOver();
		assertThat(this.sizes).containsExactly(1);
	}

	@Test
	void aTimeoutFailsThemAllAndTheSlotGoesOn() {
		List<Long> ids = enqueue(3);
		AtomicInteger calls = new AtomicInteger();
		start(UP_TO_TEN.timeout(Duration.ofSeconds(1)), (jobs) -> {
			if (calls.incrementAndGet() == 1) {
				new CountDownLatch(1).await();
			}
		});
		this.engine.awaitAllOver();
		assertThat(ids).allSatisfy((id) -> assertThat(this.engine.failures(id)).singleElement()
			.satisfies((failure) -> assertThat(failure.get("error").toString()).contains("timed out")));
	}

	@Test
	void whatAHandlerHasSaidOfOneBeforeTheTimeoutCounts() {
		List<Long> ids = enqueue(3);
		start(UP_TO_TEN.maxAttempts(1).timeout(Duration.ofSeconds(1)), (jobs) -> {
			jobs.get(1).fail(SnoozeJobException.by(Duration.ofHours(1)));
			new CountDownLatch(1).await();
		});
		this.engine.awaitState(ids.get(0), JobState.FAILED);
		this.engine.awaitState(ids.get(1), JobState.SCHEDULED);
		this.engine.awaitState(ids.get(2), JobState.FAILED);
	}

	@Test
	void oneThatIsCancelledDoesNotDisturbTheOthers() {
		List<Long> ids = enqueue(3);
		CountDownLatch begun = new CountDownLatch(1);
		start(UP_TO_TEN, (jobs) -> {
			begun.countDown();
			await().until(() -> jobs.stream().anyMatch((job) -> job.context().stopRequested()));
			jobs.stream()
				.filter((job) -> job.context().stopRequested())
				.forEach((job) -> job.fail(new IllegalStateException("stopped")));
		});
		await().until(() -> begun.getCount() == 0);
		this.engine.control().cancel(ids.get(0));
		this.engine.awaitState(ids.get(0), JobState.CANCELLED);
		this.engine.awaitState(ids.get(1), JobState.SUCCEEDED);
		this.engine.awaitState(ids.get(2), JobState.SUCCEEDED);
	}

	@Test
	void oneWhoseLeaseWasLostDoesNotCountAndTheOthersDo() {
		List<Long> ids = enqueue(3);
		AtomicInteger calls = new AtomicInteger();
		start(UP_TO_TEN, (jobs) -> {
			if (calls.incrementAndGet() == 1) {
				this.engine.jdbc()
					.update("update rowqueue.job set worker_id = null, state = 'queued' where id = ?", ids.get(0));
			}
		});
		this.engine.awaitAllOver();
		assertThat(this.engine.job(ids.get(0)).attempt()).isEqualTo(2);
		assertThat(this.engine.job(ids.get(1)).attempt()).isEqualTo(1);
		assertThat(this.engine.finished()).isEqualTo(3);
	}

	@Test
	void aCallTakesOneSlotOfItsTypeAndItsPool() {
		AtomicInteger running = new AtomicInteger();
		AtomicInteger maxRunning = new AtomicInteger();
		TestProcess process = start(UP_TO_TEN.concurrency(1), (jobs) -> {
			maxRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
			note(jobs);
			running.decrementAndGet();
		});
		for (int i = 0; i < 10; i++) {
			enqueue(20);
			this.engine.enqueue(JobRequest.of("a").priority(1));
			this.engine.enqueue("b");
		}
		this.engine.awaitAllOver();
		assertThat(maxRunning).hasValue(1);
		assertThat(process).isNotNull();
	}

	@Test
	void aLimitInTheClusterCountsJobs() {
		this.engine.limits().set(LimitKind.TYPE, "a", Limit.concurrency(4), true);
		enqueue(20);
		start(UP_TO_TEN, this::note);
		this.engine.awaitAllOver();
		assertThat(this.sizes).allMatch((size) -> size <= 4);
	}

	@Test
	void exceptionsOfAHandlerCanApplyToOneJob() {
		List<Long> ids = enqueue(2);
		start(UP_TO_TEN, (jobs) -> jobs.get(0).fail(new FailJobException("never")));
		this.engine.awaitState(ids.get(0), JobState.FAILED);
		this.engine.awaitState(ids.get(1), JobState.SUCCEEDED);
		assertThat(this.engine.job(ids.get(0)).attempt()).isEqualTo(1);
	}

	@Test
	void optionsThatDoNotGoTogetherAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> HandlerOptions.NONE.coalesce(1));
		assertThatIllegalArgumentException().isThrownBy(() -> UP_TO_TEN.transactional(true))
			.withMessageContaining("transactional");
		assertThatIllegalArgumentException().isThrownBy(() -> UP_TO_TEN.keepResult(true));
	}

	private TestProcess start(HandlerOptions options, CoalescingHandler<String> handler) {
		return process(options, handler).start();
	}

	private TestProcess.Builder process(HandlerOptions options, CoalescingHandler<String> handler) {
		return this.engine.process()
			.register((handlers) -> handlers.addCoalescing("a", String.class, options, handler))
			.handle("b", (payload, context) -> {
			});
	}

	private void note(List<CoalescedJob<String>> jobs) {
		this.sizes.add(jobs.size());
	}

	private List<Long> enqueue(int jobs) {
		return new ArrayList<>(this.engine.queue()
			.enqueueAll(IntStream.range(0, jobs).mapToObj((job) -> JobRequest.of("a", "job " + job)).toList())
			.stream()
			.map((result) -> result.id())
			.toList());
	}

}
