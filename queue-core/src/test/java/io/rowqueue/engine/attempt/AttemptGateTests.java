package io.rowqueue.engine.attempt;

import java.util.ArrayList;
import java.util.List;

import io.rowqueue.RetryPolicy;
import io.rowqueue.StopReason;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.listen.JobListener;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

class AttemptGateTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final Stores stores = new Stores(this.engine.jdbc());

	private final AttemptGate gate = new AttemptGate(new Judge(new Retries(RetryPolicy.DEFAULT), JobListener.NONE),
			this.engine.queueDatabase(), JobWindows.NONE, DataSize.ofMegabytes(1), 1, () -> true);

	private final List<AttemptOutcome> instead = new ArrayList<>();

	private final ActiveJob job = TestJobs.job(1);

	@Test
	void aJobIsAdmitted() {
		assertThat(this.gate.admit(this.job.together(), this.instead::add)).containsExactly(this.job);
		assertThat(this.instead).isEmpty();
	}

	/** By a stop, for example, while the database did not answer the gate. */
	@Test
	void aJobWhoseOutcomeIsDecidedIsNotAdmitted() {
		this.job.conclude();
		assertThat(this.gate.admit(this.job.together(), this.instead::add)).isEmpty();
		assertThat(this.instead).isEmpty();
	}

	@Test
	void aJobThatIsToBeCancelledHasOneOutcome() {
		this.job.interrupt(StopReason.CANCELLED);
		assertThat(this.gate.admit(this.job.together(), this.instead::add)).isEmpty();
		assertThat(this.instead).containsExactly(new AttemptOutcome.Cancelled(this.job));
		assertThat(this.job.conclude()).as("another outcome counts").isFalse();
	}

}
