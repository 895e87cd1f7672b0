package io.rowqueue.dashboard.api.job;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.rowqueue.dashboard.http.ProblemException;
import io.rowqueue.dashboard.http.StreamedContent;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

/** How many exports run at once, and for how long. */
class ExportSlotsTests {

	private final AtomicLong nanos = new AtomicLong();

	private final ExportSlots slots = new ExportSlots(this.nanos::get);

	@Test
	void twoAreTakenAtOnce() {
		ExportSlots.Slot first = this.slots.take();
		this.slots.take();
		assertThatExceptionOfType(ProblemException.class).isThrownBy(this.slots::take)
			.satisfies((ex) -> assertThat(ex.problem().status()).isEqualTo(429));
		first.close();
		assertThatNoException().isThrownBy(this.slots::take);
	}

	/** Its response was never written, so that it is not closed. */
	@Test
	void aSlotThatIsNotUsedIsFreeAfterAWhile() {
		ExportSlots.Slot used = this.slots.take();
		ExportSlots.Slot late = this.slots.take();
		used.begin();
		pass(StreamedContent.MAX_SILENCE.plusSeconds(1));
		assertThatNoException().isThrownBy(this.slots::take);
		assertThatExceptionOfType(ProblemException.class).as("a thread still writes the first")
			.isThrownBy(this.slots::take);
		assertThatIllegalStateException().isThrownBy(late::begin);
	}

	@Test
	void anExportEndsAfterItsMaximumTime() {
		ExportSlots.Slot slot = this.slots.take();
		pass(StreamedContent.MAX_TIME);
		assertThatNoException().isThrownBy(slot::check);
		pass(Duration.ofSeconds(1));
		assertThatIllegalStateException().isThrownBy(slot::check).withMessageContaining("10 minutes");
	}

	private void pass(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

}
