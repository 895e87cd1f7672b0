package io.rowqueue.kafka;

import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MissingTopicsTests {

	private final AtomicLong nanos = new AtomicLong();

	private final MissingTopics missing = new MissingTopics(this.nanos::get);

	@Test
	void aTopicIsNotMissingUntilTheBrokerSaysSo() {
		assertThat(this.missing.contains("mails")).isFalse();
		this.missing.add("mails");
		assertThat(this.missing.contains("mails")).isTrue();
		assertThat(this.missing.contains("texts")).isFalse();
		this.missing.remove("mails");
		assertThat(this.missing.contains("mails")).isFalse();
	}

	@Test
	void oneCallerAsksForAMissingTopicAgainAfterAPause() {
		this.missing.add("mails");
		this.nanos.addAndGet(MissingTopics.PAUSE.toNanos() - 1);
		assertThat(this.missing.contains("mails")).isTrue();
		this.nanos.incrementAndGet();
		assertThat(this.missing.contains("mails")).as("this one asks").isFalse();
		assertThat(this.missing.contains("mails")).as("the next one does not").isTrue();
	}

}
