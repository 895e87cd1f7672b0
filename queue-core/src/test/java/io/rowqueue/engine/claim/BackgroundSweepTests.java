package io.rowqueue.engine.claim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.function.BooleanSupplier;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.attempt.TestJobs;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** What a claimer has done beside its own claims; it is done here when a test says so. */
class BackgroundSweepTests {

	private final Queue<Runnable> aside = new ArrayDeque<>();

	@AutoClose
	private final ClaimingWorker worker = new ClaimingWorker(4, this.aside::add);

	@Test
	void theClaimLoopContinuesToClaimDuringASlowSweep() throws InterruptedException {
		oneLaneThatIsSlowToLookAt();
		this.worker.engine.enqueue("test");
		this.worker.claims.jobsArrived(List.of("default"));
		turn();
		assertThat(held()).as("claimed from a lane that is known").isEqualTo(1);
		this.worker.engine.enqueue(JobRequest.of("test", 1).queue("new"));
		this.aside.remove().run();
		turn();
		assertThat(held()).as("claimed from a lane that was found").isEqualTo(2);
	}

	@Test
	void aJobThatArrivesInANewLaneDuringASlowSweepIsFound() throws InterruptedException {
		oneLaneThatIsSlowToLookAt();
		Runnable look = this.aside.remove();
		look.run(); // it has seen nothing
		this.worker.engine.enqueue(JobRequest.of("test", 1).queue("new"));
		this.worker.claims.jobsArrived(List.of("new"));
		until(() -> {
			if (!this.aside.isEmpty()) {
				this.aside.remove().run();
			}
			return held() == 1;
		});
	}

	@Test
	void theClaimLoopSweepsAgainAfterAFailedSweep() throws InterruptedException {
		oneLaneThatIsSlowToLookAt();
		this.worker.engine.enqueue(JobRequest.of("test", 1).queue("new"));
		this.worker.engine.jdbc().execute("alter table rowqueue.job rename to away");
		this.aside.remove().run();
		this.worker.engine.jdbc().execute("alter table rowqueue.away rename to job");
		assertThatThrownBy(this::turn).rootCause().hasMessageContaining("rowqueue.job");
		until(() -> {
			if (!this.aside.isEmpty()) {
				this.aside.remove().run();
			}
			return held() == 1;
		});
	}

	/** A claim would end the idle time of a worker whose database is far away. */
	@Test
	void noClaimFollowsASlowSweepThatHasFoundNothing() throws InterruptedException {
		oneLaneThatIsSlowToLookAt();
		this.worker.engine.jdbc().execute("delete from rowqueue.job");
		int before = this.worker.claimed.get();
		this.aside.remove().run();
		turn();
		assertThat(this.worker.lanes.areEmpty()).as("the result was taken").isTrue();
		turn();
		assertThat(this.worker.claimed).hasValue(before);
	}

	/** It may find the job that a notification was about. */
	@Test
	void aWorkerIsNotIdleBeforeTheEndOfASweepThatItHasAskedFor() throws InterruptedException {
		oneLaneThatIsSlowToLookAt();
		this.worker.engine.jdbc().execute("delete from rowqueue.job");
		Runnable look = this.aside.remove();
		this.worker.notified = true;
		for (int i = 0; i < 20; i++) {
			turnWithWhatIsAside();
		}
		assertThat(this.worker.idleTimes).hasValue(0);
		look.run();
		await().until(() -> {
			turnWithWhatIsAside();
			return this.worker.idleTimes.get() > 0;
		});
	}

	/** It claims nothing, and so needs no sweep. */
	@Test
	void aWorkerWithQuietSlotsBecomesIdleWithoutASweep() throws InterruptedException {
		turn(); // finds that there are no jobs
		this.worker.pool.quiet(true);
		this.worker.pool.demand().needSweep();
		this.worker.notified = true;
		await().until(() -> {
			turnWithWhatIsAside();
			return this.worker.idleTimes.get() > 0;
		});
	}

	private void turnWithWhatIsAside() throws InterruptedException {
		while (!this.aside.isEmpty()) {
			this.aside.remove().run();
		}
		turn();
	}

	@Test
	void theClaimLoopWaitsForASlotIfThereIsNoRoomForTheResultOfASweep() throws InterruptedException {
		oneLaneThatIsSlowToLookAt();
		while (!this.aside.isEmpty()) { // another one begins where this takes long
			this.aside.remove().run();
			turn();
			this.worker.lanes.take(slow());
			this.worker.lanes.take(slow());
			this.worker.claims.lookAgain();
			turn(); // gets less than it wants
		}
		this.worker.pool.jobs().add(List.of(TestJobs.job(-1), TestJobs.job(-2), TestJobs.job(-3)));
		this.worker.pool.jobs().next();
		this.worker.pool.jobs().next();
		await().until(() -> this.worker.lanes.pace().untilAllowed().isZero());
		turn();
		assertThat(this.worker.pool.room()).as("no job is wanted as long as one waits").isZero();
		assertThat(this.aside).isEmpty();
		assertThat(this.worker.pool.demand().isThere()).isTrue();
		this.worker.pool.jobs().next();
		turn();
		assertThat(this.aside).as("the look").hasSize(1);
	}

	private void oneLaneThatIsSlowToLookAt() throws InterruptedException {
		this.worker.engine.enqueue("test");
		turn();
		runAll();
		this.worker.lanes.take(slow());
		this.worker.lanes.take(slow());
		until(() -> this.aside.size() == 1);
	}

	private LaneMap.Look slow() {
		return new LaneMap.Look(this.worker.lanes.look().sweep(), Duration.ofMillis(6).toNanos());
	}

	private void turn() throws InterruptedException {
		this.worker.claims.turn(Duration.ZERO);
	}

	private void until(BooleanSupplier condition) throws InterruptedException {
		long deadline = System.nanoTime() + Engine.PATIENCE.toNanos();
		while (!condition.getAsBoolean()) {
			assertThat(System.nanoTime()).isLessThan(deadline);
			this.worker.claims.lookAgain();
			this.worker.claims.turn(Duration.ofMillis(1));
		}
	}

	/** All that is held runs, and ends. */
	private void runAll() {
		for (int job = this.worker.pool.jobs().heldCount(); job > 0; job--) {
			this.worker.pool.jobs().done(Objects.requireNonNull(this.worker.pool.jobs().next()));
		}
	}

	private int held() {
		return this.worker.pool.jobs().heldCount();
	}

}
