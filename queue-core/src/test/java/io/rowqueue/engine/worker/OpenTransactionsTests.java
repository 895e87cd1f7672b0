package io.rowqueue.engine.worker;

import java.util.concurrent.CountDownLatch;

import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.awaitility.Awaitility.await;

/** Nothing of the queue keeps dead rows from being removed. */
class OpenTransactionsTests {

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	@Test
	void aWorkerThatWaitsListensAndRunsALongJobHoldsNone() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		this.engine.process().withMaintenance().handle("long", (payload, context) -> {
			running.countDown();
			release.await();
		}).startAndListen();
		this.engine.enqueue("long");
		running.await();
		await("at some moment there is none").until(() -> this.engine.number("""
				select count(*) from pg_stat_activity
				where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
					and (state <> 'idle' or xact_start is not null or backend_xmin is not null)""") == 0);
		release.countDown();
		this.engine.awaitAllOver();
	}

}
