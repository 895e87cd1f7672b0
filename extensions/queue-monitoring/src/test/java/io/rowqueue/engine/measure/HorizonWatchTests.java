package io.rowqueue.engine.measure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** When dead rows are worth a word, and when a vacuum. */
class HorizonWatchTests {

	private static final List<HorizonPin> PINNED = List
		.of(new HorizonPin("session", "process 7 (the nightly report)", 20_000, 2400.0));

	private final AtomicLong clock = new AtomicLong();

	private final HorizonWatch watch = new HorizonWatch(this.clock::get);

	@Test
	void fewDeadRowsAreIgnored() {
		assertThat(look(4_000, PINNED)).isEqualTo(new HorizonWatch.Judgement(false, ""));
	}

	@Test
	void theWatchWarnsEarlyIfTheNumberOfDeadRowsGrows() {
		assertThat(look(100_000, PINNED).warning()).as("nothing is known of the growth").isEmpty();
		String warning = look(200_000, PINNED).warning();
		assertThat(warning).contains("process 7 (the nightly report)", "open for 40 min", "20000 transactions",
				"200000 of the table", "a million in about 4 min");
	}

	@Test
	void theWatchDoesNotWarnOfSlowGrowth() {
		look(100_000, PINNED);
		assertThat(look(100_100, PINNED).warning()).isEmpty();
		assertThat(look(90_000, PINNED).warning()).as("it shrinks").isEmpty();
	}

	@Test
	void theWatchWarnsOfManyDeadRows() {
		assertThat(look(2_000_000, PINNED).warning()).contains("2000000 of the table of jobs.");
	}

	@Test
	void theWatchVacuumsIfNothingPreventsIt() {
		assertThat(look(100_000, List.of()).vacuum()).isTrue();
		assertThat(look(100_000, List.of(new HorizonPin("session", "short", 10, null))).vacuum()).isTrue();
		assertThat(look(100_000, PINNED).vacuum()).as("it would remove nothing").isFalse();
	}

	@Test
	void theNameOfATransactionStaysInItsLineOfTheLog() {
		HorizonPin pin = new HorizonPin("prepared transaction", "42\n2030-01-01 INFO all is well\u001b[2J", 20_000,
				null);
		assertThat(look(2_000_000, List.of(pin)).warning()).contains("42 2030-01-01 INFO all is well [2J");
	}

	private HorizonWatch.Judgement look(long deadRows, List<HorizonPin> pins) {
		this.clock.addAndGet(Duration.ofSeconds(30).toNanos());
		return this.watch.look(deadRows, pins);
	}

}
