package io.rowqueue.engine.wakeup;

import java.time.Duration;

import io.rowqueue.engine.wakeup.JobEndings.Waiter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Callers that wait for the end of an attempt in this process. */
class JobEndingsTests {

	private final JobEndings endings = new JobEndings();

	@Test
	void allWaitersForTheJobAreNotified() throws InterruptedException {
		try (Waiter one = this.endings.expect(1); Waiter another = this.endings.expect(1)) {
			this.endings.ended(1);
			assertThat(one.await(Duration.ZERO)).isTrue();
			assertThat(another.await(Duration.ZERO)).isTrue();
			assertThat(one.await(Duration.ZERO)).as("once").isFalse();
		}
	}

	@Test
	void waitersForOtherJobsAreNotNotified() throws InterruptedException {
		try (Waiter other = this.endings.expect(2)) {
			this.endings.ended(1);
			assertThat(other.await(Duration.ZERO)).isFalse();
		}
	}

	@Test
	void aWaiterThatHasStoppedIsForgotten() {
		Waiter one = this.endings.expect(1);
		Waiter another = this.endings.expect(1);
		one.close();
		assertThat(this.endings.isEmpty()).isFalse();
		another.close();
		assertThat(this.endings.isEmpty()).isTrue();
	}

}
