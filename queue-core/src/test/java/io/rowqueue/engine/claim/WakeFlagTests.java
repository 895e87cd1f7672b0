package io.rowqueue.engine.claim;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class WakeFlagTests {

	private static final Duration FOREVER = Duration.ofDays(1);

	private final WakeFlag wakeFlag = new WakeFlag();

	@Test
	void aSignalIsNotMissedIfItComesBeforeTheWait() throws InterruptedException {
		this.wakeFlag.raise();
		this.wakeFlag.await(FOREVER);
	}

	@Test
	void aSignalEndsAWait() {
		CompletableFuture<Void> waiting = waiting();
		this.wakeFlag.raise();
		assertThat(waiting).succeedsWithin(Engine.PATIENCE);
	}

	@Test
	void aSignalCountsOnceHoweverOftenItWasRaised() throws InterruptedException {
		for (int i = 0; i < 10; i++) {
			this.wakeFlag.raise();
		}
		this.wakeFlag.await(FOREVER);
		CompletableFuture<Void> waiting = waiting();
		assertThat(waiting).isNotDone();
		this.wakeFlag.raise();
		assertThat(waiting).succeedsWithin(Engine.PATIENCE);
	}

	@Test
	void aSignalIsNotWaitedForLongerThanTheTimeout() throws InterruptedException {
		this.wakeFlag.await(Duration.ofMillis(1));
		this.wakeFlag.await(Duration.ZERO);
	}

	/** A thread that waits already. */
	private CompletableFuture<Void> waiting() {
		AtomicReference<Thread> thread = new AtomicReference<>();
		CompletableFuture<Void> waiting = Async.run(() -> {
			thread.set(Thread.currentThread());
			try {
				this.wakeFlag.await(FOREVER);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		await().until(() -> thread.get() != null && thread.get().getState() == Thread.State.TIMED_WAITING);
		return waiting;
	}

}
