package io.rowqueue.engine.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.transport.ParkStore.ParkedJob;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.transport.JobMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

class ParkStoreTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final ParkStore store = new ParkStore(database.queueDatabase());

	private static ParkedJob job(long id, int lease) {
		JobMessage message = JobMessage.of(id, "type", "default", 1_000_000)
			.maxAttempts(7)
			.payload("\"payload\"")
			.headers("{\"a\":\"b\"}");
		return new ParkedJob(message, lease);
	}

	@Test
	void aQueuedJobIsComplete() {
		assertThat(this.store.queue(List.of(job(42, 1)))).containsExactly(42L);
		ClaimedJob claimed = database.claimOne(database.worker());
		assertThat(claimed.lease()).isEqualTo(new Lease(42, 2));
		assertThat(claimed.attempt()).isEqualTo(1);
		assertThat(claimed.maxAttempts()).isEqualTo(7);
		assertThat(claimed.payload()).isEqualTo("\"payload\"");
		assertThat(claimed.headers()).isEqualTo("{\"a\":\"b\"}");
		assertThat(claimed.enqueuedAt().getEpochSecond()).isEqualTo(1);
	}

	@Test
	void oneOfManyThatParkAJobHasIt() throws Exception {
		List<ParkedJob> jobs = LongStream.rangeClosed(1, 200).mapToObj((id) -> job(id, 1)).toList();
		long worker = database.worker();
		CyclicBarrier together = new CyclicBarrier(4);
		List<Future<List<Long>>> parking = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			boolean leases = i % 2 == 0;
			parking.add(database.async(() -> {
				together.await();
				return leases ? this.store.lease(worker, jobs) : this.store.queue(jobs);
			}));
		}
		List<Long> fresh = new ArrayList<>();
		parking.forEach((each) -> fresh.addAll(StoreDatabase.result(each)));
		assertThat(fresh).hasSize(200).doesNotHaveDuplicates();
		assertThat(database.query("select count(*) from {schema}.job", Long.class)).isEqualTo(200);
		assertThat(database.query("select count(*) from {schema}.parked", Long.class)).isEqualTo(200);
	}

	@Test
	void aLeaseWhoseAnswerWasLostIsFoundAgain() {
		long worker = database.worker();
		assertThat(this.store.lease(worker, List.of(job(42, 1)))).containsExactly(42L);
		assertThat(this.store.lease(worker, List.of(job(42, 1)))).isEmpty();
		assertThat(this.store.held(worker, List.of(new Lease(42, 1)))).containsExactly(42L);
		assertThat(this.store.held(database.worker(), List.of(new Lease(42, 1)))).isEmpty();
	}

	@Test
	void aParkedJobOfADeadWorkerIsRecovered() {
		long worker = database.worker();
		this.store.lease(worker, List.of(job(42, 1)));
		database.kill(worker);
		assertThat(database.recovery().recover(3, 10)).hasSize(1);
		assertThat(database.state(42)).isEqualTo(JobState.QUEUED);
		assertThat(database.claimOne(database.worker()).lease().token()).isEqualTo(2);
	}

	@Test
	void aJobThatIsInTheDatabaseAlreadyIsNotParkedAgain() {
		long id = database.enqueue(JobRequest.of("type"));
		assertThat(this.store.queue(List.of(job(id, 0)))).isEmpty();
		assertThat(database.query("select count(*) from {schema}.parked", Long.class)).isZero();
	}

	@Test
	void aJobThatIsOverIsNotParked() {
		this.store.over(List.of(42L, 42L, 43L));
		assertThat(this.store.queue(List.of(job(42, 1), job(44, 1)))).containsExactly(44L);
		assertThat(this.store.known(List.of(42L, 43L, 44L, 45L))).containsExactlyInAnyOrder(42L, 43L, 44L);
	}

	@Test
	void aSuccessIsInTheHistoryOnce() {
		long worker = database.worker();
		assertThat(this.store.succeed(worker, List.of(job(42, 1)))).containsExactly(42L);
		assertThat(this.store.succeed(worker, List.of(job(42, 1)))).isEmpty();
		assertThat(database.state(42)).isEqualTo(JobState.SUCCEEDED);
	}

}
