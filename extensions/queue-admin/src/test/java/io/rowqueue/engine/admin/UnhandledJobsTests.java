package io.rowqueue.engine.admin;

import java.util.List;

import io.rowqueue.JobRequest;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.UnhandledJobs;
import io.rowqueue.testing.Administration;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Jobs of types without a handler: they wait, are counted and are named. */
class UnhandledJobsTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final JobAdmin admin = Administration.of(database);

	@Test
	void unhandledJobsAreNamedByQueueAndTypeUntilAWorkerCanRunThem() {
		database.enqueue(JobRequest.of("known"), JobRequest.of("unknown").priority(1), JobRequest.of("unknown"));
		long worker = register(List.of("*"), List.of("known"));
		assertThat(this.admin.unhandled()).singleElement().satisfies((jobs) -> {
			assertThat(jobs.queue()).isEqualTo("default");
			assertThat(jobs.type()).isEqualTo("unknown");
			assertThat(jobs.jobs()).isEqualTo(2);
			assertThat(jobs.since()).isBefore(database.now());
		});
		register(List.of("*"), List.of("unknown"));
		assertThat(this.admin.unhandled()).isEmpty();
		database.kill(worker);
		assertThat(this.admin.unhandled()).extracting(UnhandledJobs::type).containsExactly("known");
	}

	@Test
	void unhandledJobsIncludeJobsOfQueuesWithoutSlots() {
		database.enqueue(JobRequest.of("known").queue("served"), JobRequest.of("known").queue("other"));
		register(List.of("served"), List.of("known"));
		assertThat(this.admin.unhandled()).extracting(UnhandledJobs::queue).containsExactly("other");
	}

	@Test
	void thereAreNoUnhandledJobsIfNoJobWaits() {
		assertThat(this.admin.unhandled()).isEmpty();
	}

	private static long register(List<String> queues, List<String> types) {
		return database.workers().register(WorkerIdentities.of("test", queues, types));
	}

}
