package io.rowqueue.engine.slot;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.WorkerResult;
import io.rowqueue.admin.WorkerView;
import io.rowqueue.engine.admin.OverviewStore;
import io.rowqueue.testing.Administration;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/** Workers whose number of slots is changed while they run. */
@Execution(ExecutionMode.CONCURRENT)
class ChangedSlotsTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger threads = new AtomicInteger();

	private final Semaphore mayEnd = new Semaphore(0);

	private final AtomicInteger refused = new AtomicInteger();

	private volatile boolean noThreads;

	@Test
	void aWorkerWithMoreSlotsRunsMoreJobsAtOnce() {
		process(1);
		enqueue(4);
		await().until(() -> this.running.get() == 1);
		assertThat(Administration.of(this.engine).changeSlots(worker(), "*", 3)).isEqualTo(WorkerResult.REQUESTED);
		assertThat(Administration.of(this.engine).changeSlots(worker(), "*", 3)).isEqualTo(WorkerResult.UNCHANGED);
		await().until(() -> this.running.get() == 3);
		this.mayEnd.release(4);
		this.engine.awaitAllOver();
	}

	@Test
	void aWorkerWithFewerSlotsLetsRunningJobsGoOnAndStartsNoOthers() {
		TestProcess process = process(3);
		List<Long> first = enqueue(3);
		await().until(() -> this.running.get() == 3);
		assertThat(Administration.of(this.engine).changeSlots(worker(), "*", 1)).isEqualTo(WorkerResult.REQUESTED);
		await().until(() -> process.slots() == 2);
		enqueue(3);
		this.mayEnd.release(2);
		await()
			.until(() -> first.stream().filter((id) -> this.engine.job(id).state() == JobState.SUCCEEDED).count() == 2);
		await("the threads of two slots have ended").until(() -> this.threads.get() == 1);
		assertThat(this.running).as("the third job has the only slot").hasValue(1);
		this.mayEnd.release();
		await().until(() -> this.engine.finished() == 3 && this.running.get() == 1);
		this.mayEnd.release(3);
		this.engine.awaitAllOver();
	}

	@Test
	void idleSlotsEndAndCanComeBack() {
		TestProcess process = process(5);
		enqueue(5);
		await().until(() -> this.running.get() == 5);
		this.mayEnd.release(5);
		this.engine.awaitAllOver();
		Administration.of(this.engine).changeSlots(worker(), "*", 2);
		await().until(() -> this.threads.get() == 2);
		Administration.of(this.engine).changeSlots(worker(), "*", 4);
		await().until(() -> process.slots() == 5);
		enqueue(5);
		await().until(() -> this.running.get() == 4);
		this.mayEnd.release(5);
		this.engine.awaitAllOver();
	}

	@Test
	void aWorkerThatCannotStartThreadsGoesOnAndRetries() {
		process(3);
		enqueue(1);
		await().until(() -> this.running.get() == 1);
		this.noThreads = true;
		long id = this.engine.enqueue("work");
		await().until(() -> this.refused.get() > 1);
		this.mayEnd.release(2);
		this.engine.awaitState(id, JobState.SUCCEEDED);
		enqueue(3);
		await().until(() -> this.running.get() == 1);
		this.noThreads = false;
		await().until(() -> this.running.get() == 3);
		this.mayEnd.release(3);
		this.engine.awaitAllOver();
	}

	@Test
	void theSlotsOfAQueueAreChangedAlone() {
		process(1);
		Administration.of(this.engine).changeSlots(worker(), "mail", 2);
		LongStream.range(0, 3).forEach((i) -> this.engine.enqueue(JobRequest.of("work").queue("mail")));
		enqueue(2);
		await().until(() -> this.running.get() == 3);
		assertThat(view().queueSlots()).isEqualTo(Map.of("*", 1, "mail", 2));
		assertThat(view().slots()).isEqualTo(3);
		assertThat(this.engine.number("select slots from rowqueue.workers")).isEqualTo(3);
		this.mayEnd.release(5);
		this.engine.awaitAllOver();
	}

	@Test
	void aNewWorkerOfTheSameProcessKeepsThem() {
		TestProcess process = process(3);
		Administration.of(this.engine).changeSlots(worker(), "*", 2);
		await().until(() -> process.slots() == 3);
		this.engine.jdbc().update("update rowqueue.worker set dead_at = clock_timestamp()");
		await().until(() -> this.engine.count("worker where dead_at is null") == 1);
		assertThat(this.engine.jdbc()
			.queryForObject("select slots ->> '*' from rowqueue.worker where dead_at is null", String.class))
			.isEqualTo("2");
	}

	@Test
	void otherSlotsThanThoseOfTheWorkerCannotBeChanged() {
		TestProcess process = process(1);
		JobAdmin admin = Administration.of(this.engine);
		long worker = worker();
		assertThat(admin.changeSlots(worker, "other", 2)).as("its jobs run in the slots of all other queues")
			.isEqualTo(WorkerResult.NO_SUCH_SLOTS);
		assertThat(admin.changeSlots(worker + 1, "*", 2)).isEqualTo(WorkerResult.NOT_FOUND);
		assertThatIllegalArgumentException().isThrownBy(() -> admin.changeSlots(worker, "*", 0))
			.withMessage("slots must be from 1 to 10000, not 0");
		assertThatIllegalArgumentException().isThrownBy(() -> admin.changeSlots(worker, "*", 10_001));
		process.stop();
		assertThat(admin.changeSlots(worker, "*", 2)).isEqualTo(WorkerResult.NOT_FOUND);
	}

	private WorkerView view() {
		return new OverviewStore(this.engine.queueDatabase()).workers(1).get(0);
	}

	private List<Long> enqueue(int jobs) {
		return LongStream.range(0, jobs).map((i) -> this.engine.enqueue("work")).boxed().toList();
	}

	private long worker() {
		return this.engine.number("select id from rowqueue.worker where dead_at is null");
	}

	/** With one slot for the queue {@code mail}. */
	private TestProcess process(int concurrency) {
		return this.engine.process()
			.concurrency(concurrency)
			.concurrency("mail", 1)
			.threads(counted())
			.handle("work", (payload, context) -> {
				this.running.incrementAndGet();
				try {
					this.mayEnd.acquire();
				}
				finally {
					this.running.decrementAndGet();
				}
			})
			.startAndListen();
	}

	/** The threads that are slots. */
	private ThreadFactory counted() {
		return (slot) -> {
			if (this.noThreads) {
				this.refused.incrementAndGet();
				throw new OutOfMemoryError("unable to create native thread, says the test");
			}
			this.threads.incrementAndGet();
			return new Thread(() -> {
				try {
					slot.run();
				}
				finally {
					this.threads.decrementAndGet();
				}
			});
		};
	}

}
