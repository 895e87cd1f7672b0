package io.rowqueue.engine.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FirstOfAMinuteTests {

	private final AtomicLong nanoTime = new AtomicLong(-1);

	private final FirstOfAMinute<String> first = new FirstOfAMinute<>(this.nanoTime::get);

	@Test
	void eachKindHasAFirstOneInAMinute() {
		assertThat(this.first.test("a")).isTrue();
		assertThat(this.first.test("a")).isFalse();
		assertThat(this.first.test("b")).isTrue();
		this.nanoTime.addAndGet(Duration.ofSeconds(59).toNanos());
		assertThat(this.first.test("a")).isFalse();
		this.nanoTime.addAndGet(Duration.ofSeconds(1).toNanos());
		assertThat(this.first.test("a")).isTrue();
		assertThat(this.first.test("a")).isFalse();
	}

	@Test
	void kindsWithoutEndTakeNoMoreThanALittleMemory() {
		for (int i = 0; i < 10_000; i++) {
			assertThat(this.first.test("kind " + i)).isTrue();
		}
	}

}
