package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import ch.qos.logback.classic.Level;
import io.rowqueue.HandlerOptions;
import io.rowqueue.Job;
import io.rowqueue.JobContext;
import io.rowqueue.JobState;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.listen.JobInterceptor;
import io.rowqueue.listen.JobListener;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.TestHooks;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Handlers that run for longer than their type may. */
class TimeoutTests {

	private static final HandlerOptions SHORT = HandlerOptions.NONE.timeout(Duration.ofMillis(300)).maxAttempts(2);

	@AutoClose
	private final Engine engine = new Engine();

	private final CountDownLatch never = new CountDownLatch(1);

	@Test
	void anAttemptThatTakesTooLongIsInterruptedAndFailsAndIsTriedAgain() {
		List<Throwable> asked = new CopyOnWriteArrayList<>();
		this.engine.process().handle("slow", SHORT.retry((job, error) -> {
			asked.add(error);
			return Duration.ZERO;
		}), (payload, context) -> this.never.await()).start();
		Job job = this.engine.awaitState(this.engine.enqueue("slow"), JobState.FAILED);
		assertThat(job.attempt()).isEqualTo(2);
		assertThat(asked).singleElement()
			.satisfies((error) -> assertThat(error).hasMessage("timed out after 300 ms")
				.hasCauseInstanceOf(InterruptedException.class));
		assertThat(job.lastError()).as("it contains the place where the handler waited")
			.startsWith("java.util.concurrent.TimeoutException: timed out after 300 ms")
			.contains("TimeoutTests");
	}

	@Test
	void aHandlerThatSwallowsTheInterruptHasFailedAllTheSame() {
		this.engine.process().handle("swallow", SHORT, (payload, context) -> {
			try {
				this.never.await();
			}
			catch (InterruptedException ex) {
				// half done
			}
		}).start();
		assertThat(this.engine.awaitState(this.engine.enqueue("swallow"), JobState.FAILED).lastError())
			.contains("timed out after 300 ms");
	}

	/** What looks for the root of an error would never end. */
	@Test
	void aTimeoutThatAnInterceptorWrapsIsNotItsOwnCause() {
		List<Throwable> asked = new CopyOnWriteArrayList<>();
		this.engine.process().hooks(TestHooks.of(List.of(new JobInterceptor() {
			@Override
			public <T> T run(JobContext job, Map<String, String> headers, Attempt<T> attempt) throws Exception {
				try {
					return attempt.run();
				}
				catch (Exception ex) {
					throw new IllegalStateException("wrapped", ex);
				}
			}
		}), JobListener.NONE, StoreListener.NONE)).handle("swallow", SHORT.retry((job, error) -> {
			asked.add(error);
			return null;
		}), (payload, context) -> {
			try {
				this.never.await();
			}
			catch (InterruptedException ex) {
				// half done
			}
		}).start();
		this.engine.awaitState(this.engine.enqueue("swallow"), JobState.FAILED);
		assertThat(asked).singleElement()
			.satisfies((error) -> assertThat(error).hasMessage("timed out after 300 ms").hasNoCause());
	}

	@Test
	void otherTypesTakeTheirTime() {
		CountDownLatch goOn = new CountDownLatch(1);
		this.engine.process()
			.handle("slow", SHORT.maxAttempts(1), (payload, context) -> this.never.await())
			.handle("other", HandlerOptions.NONE, (payload, context) -> goOn.await())
			.start();
		long other = this.engine.enqueue("other");
		this.engine.awaitState(this.engine.enqueue("slow"), JobState.FAILED);
		goOn.countDown();
		this.engine.awaitState(other, JobState.SUCCEEDED);
	}

	@Test
	void theSlotOfAHandlerThatDoesNotRespondIsReplacedAndItsLateResultIsDiscarded() {
		List<Integer> tokens = new CopyOnWriteArrayList<>();
		CountDownLatch goOn = new CountDownLatch(1);
		try (Log log = Log.ofJobs()) {
			this.engine.process().concurrency(1).handle("deaf", SHORT, (payload, context) -> {
				tokens.add(context.leaseToken());
				if (context.attempt() == 1) {
					awaitUninterruptibly(goOn);
				}
			}).handle("next", HandlerOptions.NONE, (payload, context) -> {
			}).start();
			long id = this.engine.enqueue("deaf");
			Job job = this.engine.awaitState(id, JobState.SUCCEEDED);
			assertThat(job.attempt()).isEqualTo(2);
			assertThat(tokens).as("the only slot goes on").containsExactly(1, 2);
			assertThat(job.lastError()).contains("timed out after 300 ms", "awaitUninterruptibly");
			await().until(() -> log.lines(Level.WARN).size() >= 2);
			assertThat(log.lines(Level.WARN)).filteredOn((line) -> line.contains("its slot runs other jobs meanwhile"))
				.singleElement()
				.asString()
				.endsWith("held by such handlers: 1");
			goOn.countDown();
			await().until(() -> log.lines(Level.INFO)
				.contains("The handler of Job " + id + " (deaf) has ended after all; its result is discarded"));
			this.engine.awaitState(this.engine.enqueue("next"), JobState.SUCCEEDED);
			assertThat(this.engine.failures(id)).hasSize(1);
			assertThat(log.lines(Level.WARN)).as("nothing was written twice").hasSize(2);
		}
	}

	@Test
	void aHandlerThatEndsWhileItIsAbandonedKeepsItsSlot() {
		CountDownLatch goOn = new CountDownLatch(1);
		CountDownLatch next = new CountDownLatch(1);
		List<String> slots = new CopyOnWriteArrayList<>();
		try (Log log = Log.ofJobs()) {
			this.engine.process().concurrency(1).threads((slot) -> {
				slots.add("slot");
				return new Thread(slot);
			}).retry((job, error) -> {
				goOn.countDown();
				awaitUninterruptibly(next);
				return Duration.ZERO;
			}).handle("deaf", SHORT, (payload, context) -> {
				if (context.attempt() == 1) {
					awaitUninterruptibly(goOn);
				}
			}).handle("next", HandlerOptions.NONE, (payload, context) -> next.countDown()).start();
			long id = this.engine.enqueue("deaf");
			this.engine.enqueue("next");
			this.engine.awaitState(id, JobState.SUCCEEDED);
			assertThat(this.engine.failures(id)).singleElement().asString().contains("timed out");
			assertThat(slots).hasSize(1);
			assertThat(log.lines(Level.WARN)).noneMatch((line) -> line.contains("its slot runs other jobs meanwhile"));
		}
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		boolean open = false;
		while (!open) {
			try {
				latch.await();
				open = true;
			}
			catch (InterruptedException ex) {
				// deaf
			}
		}
	}

}
