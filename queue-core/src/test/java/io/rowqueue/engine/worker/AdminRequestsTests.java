package io.rowqueue.engine.worker;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.engine.attempt.TestJobs;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.worker.WorkerStore.HeartbeatAnswer;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AdminRequestsTests {

	private static final HeartbeatAnswer RESTART = new HeartbeatAnswer(1, 0, false, true, Map.of());

	private final Pools pools = new Pools(1, Map.of(), 0);

	private final CountDownLatch ended = new CountDownLatch(1);

	private final AtomicInteger stops = new AtomicInteger();

	@Test
	void aWorkerThatCannotStopGracefullyEndsAndTakesNoMoreJobs() throws InterruptedException {
		AdminRequests requests = requests(() -> {
			this.stops.incrementAndGet();
			throw new OutOfMemoryError("unable to create native thread, says the test");
		});
		requests.answered(RESTART);
		assertThat(this.ended.await(Engine.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		assertThat(this.pools.of("default").orElseThrow().jobs().add(List.of(TestJobs.job(1)))).isFalse();
		requests.answered(RESTART);
		assertThat(this.stops).as("it is requested once").hasValue(1);
	}

	@Test
	void aWorkerThatStopsGracefullyIsNotEndedBefore() throws InterruptedException {
		CountDownLatch stopped = new CountDownLatch(1);
		requests(stopped::countDown).answered(RESTART);
		stopped.await();
		assertThat(this.pools.of("default").orElseThrow().jobs().add(List.of(TestJobs.job(1)))).isTrue();
		assertThat(this.ended.getCount()).isEqualTo(1);
	}

	private AdminRequests requests(AdminRequests.Stop stop) {
		return new AdminRequests(7, this.pools, null, null, null, stop, this.ended::countDown);
	}

}
