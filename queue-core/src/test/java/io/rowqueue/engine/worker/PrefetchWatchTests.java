package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.TestJobs;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.slot.Timeouts;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PrefetchWatchTests {

	private final AtomicLong nanoTime = new AtomicLong();

	private final Pools pools = new Pools(1, Map.of(), 10);

	private final List<Long> released = new ArrayList<>();

	private final PrefetchWatch watch = new PrefetchWatch(this.pools, Duration.ZERO, (job) -> job.id() != 2,
			(jobs) -> jobs.stream().map(ActiveJob::id).forEach(this.released::add), this.nanoTime::get);

	@Test
	void jobsThatHaveWaitedTooLongAreReleased() {
		add(1, 2, 3);
		pass(Timeouts.INTERVAL);
		this.watch.turn();
		assertThat(this.released).as("the second job may not be released").containsExactly(1L, 3L);
		assertThat(this.pools.all().findFirst().orElseThrow().jobs().waitingCount()).isEqualTo(1);
	}

	@Test
	void aLateTurnReleasesNothingSinceTheProcessDidNotRun() {
		add(1);
		pass(Timeouts.INTERVAL.multipliedBy(3));
		this.watch.turn();
		assertThat(this.released).isEmpty();
		pass(Timeouts.INTERVAL);
		this.watch.turn();
		assertThat(this.released).as("the next turn is in time").containsExactly(1L);
	}

	private void add(long... ids) {
		Pool pool = this.pools.all().findFirst().orElseThrow();
		for (long id : ids) {
			pool.jobs().add(List.of(TestJobs.job(id)));
		}
	}

	private void pass(Duration time) {
		this.nanoTime.addAndGet(time.toNanos());
	}

}
