package io.rowqueue.engine.measure;

import java.time.Duration;

import io.rowqueue.JobRequest;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Which names of queues and types the administration knows, by the measurement. */
class KnownNamesTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	@Test
	void queuesAndTypesOfLiveWorkersAndOfMeasuredJobsAreKnown() {
		JobAdmin admin = new DefaultJobAdmin(database.queueDatabase(), database.jobs().wakeUps());
		database.worker();
		assertThat(admin.isKnownQueue("default")).isTrue();
		assertThat(admin.isKnownQueue("defalt")).isFalse();
		assertThat(admin.isKnownType("type")).as("of the worker").isTrue();
		assertThat(admin.isKnownType("letter")).isFalse();
		database.enqueue(JobRequest.of("letter").queue("letters"));
		new MeasurementStore(database.queueDatabase()).measure(Duration.ofMinutes(1));
		assertThat(admin.isKnownQueue("letters")).isTrue();
		assertThat(admin.isKnownType("letter")).as("no worker has a handler for it").isTrue();
	}

}
