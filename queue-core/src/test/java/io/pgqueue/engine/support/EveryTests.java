package io.pgqueue.engine.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EveryTests {

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5); // nanoTime may
																			// overflow

	private final Every every = new Every(Duration.ofNanos(10), this.clock::get);

	@Test
	void isDueOnceInEachInterval() {
		assertThat(this.every.isDue()).isFalse();
		this.clock.addAndGet(9);
		assertThat(this.every.isDue()).isFalse();
		this.clock.addAndGet(1);
		assertThat(this.every.isDue()).isTrue();
		assertThat(this.every.isDue()).isFalse();
		this.clock.addAndGet(10);
		assertThat(this.every.isDue()).isTrue();
	}

	@Test
	void doesNotMakeUpForTimesThatWereMissed() {
		this.clock.addAndGet(100);
		assertThat(this.every.isDue()).isTrue();
		assertThat(this.every.isDue()).isFalse();
	}

	@Test
	void tellsHowLongItTakes() {
		this.clock.addAndGet(4);
		assertThat(this.every.remaining()).isEqualTo(Duration.ofNanos(6));
		this.clock.addAndGet(40);
		assertThat(this.every.remaining()).isEqualTo(Duration.ZERO);
	}

}
