package io.pgqueue.engine.slot;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.pgqueue.engine.worker.TestJobs;
import io.pgqueue.testing.Engine;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PoolTests {

	private final CompletableFuture<Integer> waiting = new CompletableFuture<>();

	private final SlotListener slots = new SlotListener() {

		@Override
		public void slotFreed(Pool pool, String type) {
			throw new AssertionError("no job ends here");
		}

		@Override
		public void slotTaken(Pool pool) {
			PoolTests.this.waiting.complete(pool.jobs().waitingCount());
			throw new IllegalStateException("nobody is to run it");
		}

	};

	@Test
	void aPoolReportsThatAnIdleSlotHasTakenAJob() {
		Pool pool = new Pool("*", 1, 0);
		pool.start((slot) -> {
			Thread thread = new Thread(slot);
			thread.setUncaughtExceptionHandler((ended, reason) -> this.waiting.completeExceptionally(reason));
			return thread;
		}, null, (outcome) -> {
		}, this.slots);
		pool.jobs().add(List.of(TestJobs.job(1)));
		assertThat(this.waiting).as("jobs that wait then").succeedsWithin(Engine.PATIENCE).isEqualTo(0);
	}

}
