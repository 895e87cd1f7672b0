package io.rowqueue.dashboard.api.job;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.rowqueue.dashboard.http.ProblemException;
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
	void aSlotThatIsNotKeptIsFreeAfterAWhile() {
		ExportSlots.Slot kept = this.slots.take();
		this.slots.take();
		pass(ExportSlots.MAX_SILENCE);
		kept.keep();
		pass(Duration.ofSeconds(1));
		assertThatNoException().isThrownBy(this.slots::take);
		assertThatExceptionOfType(ProblemException.class).isThrownBy(this.slots::take);
	}

	@Test
	void anExportEndsAfterItsMaximumTime() {
		ExportSlots.Slot slot = this.slots.take();
		pass(ExportSlots.MAX_TIME);
		assertThatNoException().isThrownBy(slot::keep);
		pass(Duration.ofSeconds(1));
		assertThatIllegalStateException().isThrownBy(slot::keep).withMessageContaining("10 minutes");
	}

	private void pass(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

}
