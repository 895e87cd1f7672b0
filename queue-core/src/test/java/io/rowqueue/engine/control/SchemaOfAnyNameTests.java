package io.rowqueue.engine.control;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rowqueue.EnqueueResult;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.history.RetainTask;
import io.rowqueue.engine.history.Retention;
import io.rowqueue.engine.history.Retention.Ages;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.maintenance.MaintenanceStore.PromotedJobs;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.engine.recovery.RecoveryStore.DeadWorker;
import io.rowqueue.engine.recovery.RecoveryStore.RecoveredJob;
import io.rowqueue.engine.worker.WorkerSession;
import io.rowqueue.engine.worker.WorkerStore;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Every statement works whatever the schema is called. */
class SchemaOfAnyNameTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	@ParameterizedTest
	@ValueSource(strings = { "My \"Queue\"", "team's queue", "\u043e\u0447\u0435\u0440\u0435\u0434\u044c",
			"50% ? $1 ${a} #{b} :c \\", "select", "a $rowqueue$ $change$" })
	void aJobLivesItsLife(String name) throws Exception {
		SchemaName schema = new SchemaName(name);
		database.initialize(schema);
		Stores jobs = new Stores(database.jdbc(), database.jdbc(), schema, true);
		QueueDatabase named = new QueueDatabase(database.jdbc(), schema);
		WorkerStore workers = new WorkerStore(named);
		RecoveryStore recovery = new RecoveryStore(named, StoreListener.NONE);
		MaintenanceStore maintenance = new MaintenanceStore(named);
		long worker = workers.register(WorkerIdentities
			.withLease(WorkerIdentities.of("test", List.of("default"), List.of("type")), Duration.ZERO));
		try (WorkerSession session = WorkerSession.open(database.direct(), schema, worker)) {
			jobs.wakeUp(List.of("default"));
			assertThat(session.await(Duration.ofSeconds(30)).queues()).containsExactly("default");
		}

		NewJob request = NewJobs.of(JobRequest.of("type").uniqueKey("key"), "{}");
		long id = jobs.enqueue(List.of(request)).get(0).id();
		assertThat(jobs.enqueue(List.of(request))).extracting(EnqueueResult::id).containsExactly(id);
		jobs.leases().running(worker, List.of(claim(jobs, worker)));
		assertThat(jobs.find(id)).map((job) -> job.state()).contains(JobState.RUNNING);
		assertThat(
				jobs.outcomes().fail(worker, List.of(new Failure(new Lease(id, 1), "error", Duration.ofNanos(1000)))))
			.containsExactly(id);
		assertThat(maintenance.promoteAll(10)).containsExactly(new PromotedJobs("default", 1));
		assertThat(jobs.outcomes().release(worker, List.of(claim(jobs, worker)))).containsExactly(id);

		assertThat(workers.heartbeat(worker, 0)).isPresent();
		Lease lost = claim(jobs, worker);
		assertThat(jobs.leases().running(worker, lost)).isTrue();
		assertThat(recovery.declareDead(Duration.ZERO, Duration.ZERO)).extracting(DeadWorker::id)
			.containsExactly(worker);
		assertThat(recovery.recover(10, 10)).extracting(RecoveredJob::id).containsExactly(lost.jobId());
		assertThat(recovery.forget()).isZero();

		long successor = workers.register(WorkerIdentities.of("test", List.of(), List.of()));
		assertThat(jobs.succeed(successor, List.of(claim(jobs, successor)))).containsExactly(id);
		assertThat(jobs.find(id)).hasValueSatisfying((job) -> {
			assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
			assertThat(job.attempt()).isEqualTo(3);
		});
		workers.unregister(successor);

		assertThat(maintenance.take("promote", Duration.ofDays(1))).isTrue();
		maintenance.hurry("promote", Duration.ZERO);
		assertThat(maintenance.take("promote", Duration.ofDays(1))).isTrue();
		Ages none = new Ages(Duration.ZERO, Duration.ZERO, Duration.ZERO);
		RetainTask retain = new RetainTask(named, new Retention(none, Map.of(), Map.of()), () -> {
		});
		do { // in the evening, one run does not get from the beginning of the day to now
			retain.run();
		}
		while (retain.isUnfinished());
		assertThat(jobs.find(id)).isEmpty();
	}

	private static Lease claim(Stores jobs, long worker) {
		List<PoolLane> lanes = jobs.sweep().heads().stream().map((head) -> new PoolLane("pool", head)).toList();
		return jobs.claim(new Claim(worker, Map.of("pool", 1), lanes)).jobs().get(0).lease();
	}

}
