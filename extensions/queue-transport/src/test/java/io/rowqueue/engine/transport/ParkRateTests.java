package io.rowqueue.engine.transport;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ParkRateTests {

	private final AtomicLong now = new AtomicLong(5);

	private final ParkRate rate = new ParkRate(100, this.now::get);

	@Test
	void isExceededByMoreThanASecondAllows() {
		this.rate.add(100);
		assertThat(this.rate.isExceeded()).isFalse();
		this.rate.add(1);
		assertThat(this.rate.isExceeded()).isTrue();
	}

	@Test
	void isNotExceededAnyMoreWhenTheTimeHasPassedThatTheJobsTake() {
		this.rate.add(300);
		pass(Duration.ofMillis(1900));
		assertThat(this.rate.isExceeded()).isTrue();
		pass(Duration.ofMillis(200));
		assertThat(this.rate.isExceeded()).isFalse();
	}

	@Test
	void savesNothingForLater() {
		pass(Duration.ofHours(1));
		this.rate.add(101);
		assertThat(this.rate.isExceeded()).isTrue();
	}

	private void pass(Duration time) {
		this.now.addAndGet(time.toNanos());
	}

}
