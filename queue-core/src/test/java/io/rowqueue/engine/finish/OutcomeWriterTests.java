package io.rowqueue.engine.finish;

import java.time.Duration;
import java.util.List;

import io.rowqueue.HandlerOptions;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.AttemptOutcome.Snoozed;
import io.rowqueue.engine.attempt.HeldJobs;
import io.rowqueue.engine.claim.ClaimingWorker;
import io.rowqueue.engine.lease.Snooze;
import io.rowqueue.limit.Hold;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

class OutcomeWriterTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	private final OutcomeWriter writer = ClaimingWorker.outcomeWriter(database.jobs(), this.worker, (arrivals) -> {
	});

	private final ActiveJob job = claimed();

	@Test
	void aHandlerHoldsJobsAsLongAsItsOwnOneIsSnoozed() {
		assertThat(this.writer.write(List.of(snoozed()))).isEmpty();
		assertThat(database.jobs().holds().list()).extracting(Hold::name).containsExactly("type");
	}

	@Test
	void aHandlerThatHasLostItsLeaseHoldsNothing() {
		database.kill(this.worker);
		assertThat(database.recovery().recover(3, 10)).hasSize(1);
		assertThat(this.writer.write(List.of(snoozed()))).isEmpty();
		assertThat(database.jobs().holds().list()).isEmpty();
	}

	private ActiveJob claimed() {
		database.enqueue(JobRequest.of("type"));
		return new ActiveJob(database.claimOne(this.worker), HandlerOptions.NONE.maxAttempts(3), 0);
	}

	private Snoozed snoozed() {
		return new Snoozed(this.job, new Snooze(this.job.job().lease(), Duration.ofHours(1), null),
				new HeldJobs(LimitKind.TYPE, "type", "429"));
	}

}
