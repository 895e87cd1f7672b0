package io.rowqueue.engine.listen;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.JobState;
import io.rowqueue.engine.attempt.WorkerHooks;
import io.rowqueue.listen.AttemptEnd;
import io.rowqueue.listen.JobListener;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestHooks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Code of the application that blocks for ever, called from where the queue cannot wait:
 * its heartbeats, the ends of other jobs and their timeouts go on.
 */
@Execution(ExecutionMode.CONCURRENT)
class BlockingListenersTests {

	private static final HandlerOptions SHORT = HandlerOptions.NONE.timeout(Duration.ofMillis(300)).maxAttempts(2);

	@AutoClose
	private final Engine engine = new Engine();

	private final CountDownLatch goOn = new CountDownLatch(1);

	private final List<String> asked = new CopyOnWriteArrayList<>();

	@AfterEach
	void goOn() {
		this.goOn.countDown();
	}

	@Test
	void aRetryPolicyForAHandlerThatIgnoresItsTimeout() {
		this.engine.process().retry((job, error) -> {
			block("policy");
			return Duration.ZERO;
		})
			.handle("deaf", SHORT, (payload, context) -> block("handler"))
			.handle("slow", SHORT.maxAttempts(1), (payload, context) -> new CountDownLatch(1).await())
			.start();
		this.engine.enqueue("deaf");
		await("it is given up").until(() -> this.asked.contains("policy"));
		assertThatHeartbeatsGoOn();
		this.engine.awaitState(this.engine.enqueue("slow"), JobState.FAILED);
	}

	@Test
	void aListenerThatIsToldOfAHandlerThatIgnoresItsTimeout() {
		this.engine.process().hooks(hooks(new JobListener() {
			@Override
			public void ended(JobContext job, AttemptEnd end) {
				if (job.type().equals("deaf")) {
					block("listener");
				}
			}
		}))
			.handle("deaf", SHORT, (payload, context) -> block("handler"))
			.handle("slow", SHORT.maxAttempts(1), (payload, context) -> new CountDownLatch(1).await())
			.start();
		this.engine.enqueue("deaf");
		await("it is given up").until(() -> this.asked.contains("listener"));
		assertThatHeartbeatsGoOn();
		this.engine.awaitState(this.engine.enqueue("slow"), JobState.FAILED);
	}

	@Test
	void aListenerThatIsToldOfARefusedEnd() {
		this.engine.process().hooks(hooks(new JobListener() {
			@Override
			public void refused(JobContext job) {
				block("listener");
			}
		}))
			.handle("taken",
					(payload, context) -> this.engine.jdbc()
						.update("update rowqueue.job set lease = lease + 1, worker_id = -1 where id = ?", context.id()))
			.handle("other", (payload, context) -> {
			})
			.start();
		this.engine.enqueue("taken");
		await("its end is refused").until(() -> this.asked.contains("listener"));
		this.engine.awaitState(this.engine.enqueue("other"), JobState.SUCCEEDED);
	}

	private void assertThatHeartbeatsGoOn() {
		for (int i = 0; i < 3; i++) {
			String before = heartbeat();
			await("heartbeat").until(() -> !heartbeat().equals(before));
		}
		assertThat(this.engine.count("worker where dead_at is null")).isOne();
	}

	private String heartbeat() {
		return this.engine.jdbc().queryForObject("select heartbeat_at::text from rowqueue.worker", String.class);
	}

	private static WorkerHooks hooks(JobListener listener) {
		return TestHooks.of(List.of(), listener, StoreListener.NONE);
	}

	private void block(String who) {
		this.asked.add(who);
		boolean over = false;
		while (!over) {
			try {
				this.goOn.await();
				over = true;
			}
			catch (InterruptedException ex) {
				// deaf
			}
		}
	}

}
