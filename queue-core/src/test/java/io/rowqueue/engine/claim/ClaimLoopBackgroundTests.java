package io.rowqueue.engine.claim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.RetryPolicy;
import io.rowqueue.engine.attempt.Judge;
import io.rowqueue.engine.attempt.Retries;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.LeaseStore.HeldLease;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.worker.GracefulStop;
import io.rowqueue.listen.JobListener;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * While there is plenty, claims execute in the background beside each other; here they
 * end when a test says so.
 */
class ClaimLoopBackgroundTests {

	private static final int WHOLE = Pool.MAX_JOBS_PER_CLAIM;

	private static final int SLOTS = 5 * WHOLE + 100;

	private final Queue<Runnable> underWay = new ArrayDeque<>();

	private boolean withoutThreads;

	@AutoClose
	private final ClaimingWorker worker = new ClaimingWorker(SLOTS, this::execute);

	@Test
	void theClaimLoopContinuesWhileOneClaimIsDelayed() throws InterruptedException {
		plenty(6 * WHOLE);
		begin(2);
		turn();
		assertThat(this.underWay).as("no more than that").hasSize(2);
		Runnable heldUp = this.underWay.remove();
		end();
		assertThat(held()).as("at the slots before the claimer asks").isEqualTo(2 * WHOLE);
		begin(1);
		end();
		begin(1);
		end();
		turn();
		assertThat(this.underWay).as("there are places for what is held up, and few more").isEmpty();
		heldUp.run();
		turn();
		assertThat(held()).isEqualTo(5 * WHOLE);
		assertThat(leased()).isEqualTo(5 * WHOLE);
	}

	/** A turn that asks nothing would pass for one that works. */
	@Test
	void theClaimLoopQueriesTheDatabaseImmediatelyAfterAFailedClaim() throws InterruptedException {
		plenty(6 * WHOLE);
		begin(2);
		this.worker.engine.jdbc().execute("alter table rowqueue.job rename to away");
		end();
		this.worker.engine.jdbc().execute("alter table rowqueue.away rename to job");
		assertThatThrownBy(this::turn).rootCause().hasMessageContaining("rowqueue.job");
		turn();
		assertThat(this.underWay).as("who knows whether there is plenty").hasSize(1);
		assertThat(held()).isEqualTo(2 * WHOLE);
		turn();
		assertThat(this.underWay).hasSize(2);
	}

	@Test
	void theClaimLoopClaimsAgainAfterAClaimThatNoThreadCouldExecute() throws InterruptedException {
		plenty(6 * WHOLE);
		this.withoutThreads = true;
		assertThatThrownBy(this::turn).isInstanceOf(OutOfMemoryError.class);
		this.withoutThreads = false;
		turn();
		assertThat(held()).isEqualTo(2 * WHOLE);
	}

	@Test
	void theClaimLoopBeginsNoFurtherClaimsAfterAShortOne() throws InterruptedException {
		plenty(WHOLE + 10);
		begin(2);
		Runnable slow = this.underWay.remove();
		end();
		assertThat(held()).isEqualTo(WHOLE + 10);
		this.worker.engine.enqueue("test");
		turn();
		assertThat(this.underWay).isEmpty();
		assertThat(held()).as("the other claim is waited for").isEqualTo(WHOLE + 10);
		slow.run();
		turn();
		assertThat(held()).isEqualTo(WHOLE + 11);
		assertThat(this.underWay).isEmpty();
	}

	@Test
	void theClaimLoopLooksForJobsElsewhereOnceClaimsAreShort() throws InterruptedException {
		plenty(WHOLE);
		this.worker.engine.enqueue(JobRequest.of("test").queue("new"));
		begin(2);
		await("found by a sweep").until(() -> {
			this.underWay.forEach(Runnable::run);
			this.underWay.clear();
			turn();
			return held() == WHOLE + 1;
		});
	}

	/** It began before the look, so it has not seen what the look has found. */
	@Test
	void aClaimThatIsBackAfterALookDoesNotMoveTheMarkOverWhatTheLookFound() throws InterruptedException {
		plenty(6 * WHOLE);
		begin(2);
		end();
		long early = this.worker.engine.enqueue("test");
		this.worker.engine.jdbc()
			.update("update rowqueue.job set order_at = order_at - interval '1 hour' where id = ?", early);
		look();
		begin(2); // one that was there, and one after what has ended
		this.underWay.forEach(Runnable::run);
		assertThat(this.worker.engine.number("select count(*) from rowqueue.job where worker_id is not null and id = ?",
				early))
			.isOne();
	}

	@Test
	void whatAClaimUnderWayBringsIsNotForgotten() throws InterruptedException {
		plenty(2 * WHOLE);
		begin(1);
		long next = this.worker.engine.number("select min(id) from rowqueue.job where worker_id is null");
		Background<UnknownLeases.Leases> look = new Background<>(Runnable::run, () -> {
		});
		UnknownLeases forgotten = new UnknownLeases(this.worker.engine.queueDatabase(), this.worker.id,
				this.worker.pools, this.worker.finisher, null, this.worker.claims.directStarts(), look);
		look.begin(() -> new UnknownLeases.Leases(List.of(new HeldLease(new Lease(next, 1), "test", 1, null, false)),
				System.nanoTime(), Duration.ZERO));
		assertThat(forgotten.isReady(this.worker.claims)).as("before the claim has brought what the look saw")
			.isFalse();
		begin(2); // they go on meanwhile
		end();
		turn();
		assertThat(forgotten.isReady(this.worker.claims)).isTrue();
		forgotten.release();
		assertThat(leased()).isEqualTo(2 * WHOLE);
	}

	@Test
	void whatAClaimUnderWayBringsWhenTheWorkerStopsIsHandedBack() throws InterruptedException {
		plenty(2 * WHOLE);
		begin(1);
		ExecutorService asides = Executors.newSingleThreadExecutor();
		asides.execute(() -> {
			while (!asides.isShutdown()) { // the worker waits for it only then
				Thread.onSpinWait();
			}
			end();
		});
		Outage outage = new Outage("", () -> {
		});
		Loop claiming = new Loop("claiming", outage, this::turn);
		Loop finishing = new Loop("finishing", outage, this.worker.finisher::turn);
		finishing.start();
		Judge judge = new Judge(new Retries(RetryPolicy.DEFAULT), JobListener.NONE);
		assertThat(
				new GracefulStop(this.worker.pools, this.worker.finisher, judge, Duration.ZERO).run(claiming, asides))
			.isTrue();
		finishing.stop();
		this.worker.finisher.end();
		assertThat(leased()).isZero();
		assertThat(this.worker.engine.jobs(JobState.QUEUED)).isEqualTo(2 * WHOLE);
	}

	private void execute(Runnable claim) {
		if (this.withoutThreads) {
			throw new OutOfMemoryError("unable to create native thread, says the test");
		}
		this.underWay.add(claim);
	}

	/** Enqueues, and claims as many of them as a claim does. */
	private void plenty(int jobs) throws InterruptedException {
		this.worker.engine.queue().enqueueAll(Collections.nCopies(jobs, JobRequest.of("test")));
		look();
		turn();
		assertThat(held()).isEqualTo(WHOLE);
	}

	/** Looks at all lanes, at once: slow looks would be under way like claims. */
	private void look() {
		this.worker.lanes.take(new LaneMap.Look(this.worker.lanes.look().sweep(), 0));
	}

	/** Takes turns until so many claims are under way. */
	private void begin(int claims) throws InterruptedException {
		for (int turn = 0; turn < claims; turn++) {
			turn();
		}
		assertThat(this.underWay).as("under way").hasSize(claims);
	}

	/** The claim that has been under way for longest ends. */
	private void end() {
		this.underWay.remove().run();
	}

	private void turn() throws InterruptedException {
		this.worker.claims.turn(Duration.ofMillis(1));
	}

	private int held() {
		return this.worker.pool.jobs().heldCount();
	}

	private long leased() {
		return this.worker.engine.leased();
	}

}
