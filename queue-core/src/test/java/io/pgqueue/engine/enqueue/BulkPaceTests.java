package io.pgqueue.engine.enqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import ch.qos.logback.classic.Level;
import io.pgqueue.JobQueue;
import io.pgqueue.JobRequest;
import io.pgqueue.listen.JobListener;
import io.pgqueue.testing.Log;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** How bulk enqueues are held up while dead rows pile up. */
class BulkPaceTests {

	private final List<Duration> pauses = new ArrayList<>();

	private final BulkPace pace = new BulkPace(Duration.ofSeconds(2), this.pauses::add);

	@Test
	void nothingWaitsUntilSlowDownIsCalled() {
		this.pace.before(1000, 0);
		assertThat(this.pauses).isEmpty();
	}

	@Test
	void manyJobsWaitInProportion() {
		this.pace.slowDown("of a test");
		this.pace.before(1000, 0);
		this.pace.before(250, 1000);
		assertThat(this.pauses).containsExactly(Duration.ofSeconds(2), Duration.ofMillis(500));
	}

	@Test
	void fewJobsNeverWait() {
		this.pace.slowDown("of a test");
		this.pace.before(1, 0);
		this.pace.before(BulkPace.MIN_DELAYED_JOBS - 1, 0);
		assertThat(this.pauses).isEmpty();
	}

	@Test
	void oneCallWaitsForAMinuteAtMost() {
		this.pace.slowDown("of a test");
		for (int stored = 0; stored < 1_000_000; stored += 1000) {
			this.pace.before(1000, stored);
		}
		assertThat(this.pauses.stream().reduce(Duration.ZERO, Duration::plus)).isEqualTo(BulkPace.MAX_PAUSE_PER_CALL);
	}

	@Test
	void isAsFastAsBeforeAfterwards() {
		this.pace.slowDown("of a test");
		this.pace.speedUp();
		this.pace.before(1000, 0);
		assertThat(this.pauses).isEmpty();
	}

	@Test
	void saysItOnce() {
		try (Log log = new Log(BulkPace.class)) {
			this.pace.speedUp();
			this.pace.slowDown("somebody is slow");
			this.pace.slowDown("somebody is slow");
			this.pace.speedUp();
			assertThat(log.lines(Level.WARN)).singleElement().asString().contains("2000 ms", "somebody is slow");
			assertThat(log.lines(Level.INFO)).hasSize(2);
		}
	}

	@Test
	void aPauseOfNothingIsNone() {
		BulkPace none = new BulkPace(Duration.ZERO, this.pauses::add);
		none.slowDown("of a test");
		none.before(1000, 0);
		assertThat(this.pauses).isEmpty();
	}

	@Test
	void somebodyWhoIsInterruptedDoesNotWait() {
		BulkPace real = new BulkPace(BulkPace.MAX_PAUSE);
		real.slowDown("of a test");
		Thread.currentThread().interrupt();
		real.before(1000, 0);
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void aPauseIsBounded() {
		assertThatIllegalArgumentException().isThrownBy(() -> new BulkPace(Duration.ofSeconds(11)));
		assertThatIllegalArgumentException().isThrownBy(() -> new BulkPace(Duration.ofMillis(-1)));
	}

	@Test
	void eachThousandOfABulkEnqueueWaits() throws Exception {
		try (TestApplication application = new TestApplication()) {
			JobQueue queue = application
				.queueWith(new EnqueueHooks(List::of, () -> JobListener.NONE, this.pace, DeclaredTypes.NONE));
			this.pace.slowDown("of a test");
			List<JobRequest> requests = Collections.nCopies(2500, JobRequest.of("bulk"));
			assertThat(queue.enqueueAll(requests)).hasSize(2500);
			assertThat(queue.enqueueAll(requests.stream())).isEqualTo(2500);
			queue.enqueue(JobRequest.of("one"));
			assertThat(this.pauses).extracting(Duration::toMillis)
				.containsExactly(2000L, 2000L, 1000L, 2000L, 2000L, 1000L);
			assertThat(application.committed()).hasSize(5001);
		}
	}

}
