package io.rowqueue.engine.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;

import io.rowqueue.Job;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.control.ControlStore;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.Snooze;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Times from one end of the range to the other, and at its ends. */
class RandomTimeTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long seed = Seed.of(this);

	private final Random random = new Random(this.seed);

	private final ControlStore control = database.jobs().controlStore();

	@Test
	void timesAreStoredAndReadBackAndCounted() {
		for (int i = 0; i < 100; i++) {
			Instant runAt = Instant.EPOCH.plus(any(JobRequest.MAX_DELAY.minusNanos(3000)))
				.plus(1, ChronoUnit.MICROS)
				.truncatedTo(ChronoUnit.MICROS);
			Duration tolerance = any(JobRequest.MAX_DELAY).truncatedTo(ChronoUnit.MICROS);
			long id = database.enqueue(JobRequest.of("type").runAt(runAt).tolerance(tolerance));
			boolean past = runAt.isBefore(database.now());
			Job job = database.find(id);
			assertThat(job.state()).as("%s, seed %d", runAt, this.seed)
				.isEqualTo(past ? JobState.QUEUED : JobState.SCHEDULED);
			assertThat(job.runAt()).as("seed %d", this.seed).isEqualTo(past ? job.runAt() : runAt);
			assertThat(Duration.between(job.runAt(), database.orderAt(id))).as("seed %d", this.seed)
				.isCloseTo(tolerance, Duration.ofNanos(2000)); // of centuries
			if (past) {
				Lease lease = database.claimOne(database.worker()).lease();
				putOff(lease, any(JobRequest.MAX_DELAY));
				assertThat(database.find(id).runAt()).as("seed %d", this.seed).isAfterOrEqualTo(job.runAt());
			}
			assertThat(this.control.reschedule(id, any(JobRequest.MAX_DELAY))).isPresent();
			database.update("truncate {schema}.job");
		}
	}

	private void putOff(Lease lease, Duration delay) {
		long worker = database.query("select worker_id from {schema}.job", Long.class);
		List<Long> written = this.random.nextBoolean()
				? database.jobs().outcomes().fail(worker, List.of(new Failure(lease, "error", delay)))
				: database.jobs().outcomes().snooze(worker, List.of(new Snooze(lease, delay, null)));
		assertThat(written).hasSize(1);
	}

	/** Often at an end. */
	private Duration any(Duration max) {
		return switch (this.random.nextInt(4)) {
			case 0 -> Duration.ZERO;
			case 1 -> max;
			default -> Duration.ofSeconds((long) (max.getSeconds() * this.random.nextDouble()),
					this.random.nextInt(1_000_000_000));
		};
	}

}
