package io.rowqueue.autoconfigure;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.autoconfigure.Notes.Note;
import io.rowqueue.engine.transport.DeleteAcknowledgedTask;
import io.rowqueue.testing.ListBroker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class TransportTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner application = Applications.on(this.database).withBean(Notes.class);

	@Test
	void aBeanIsEnoughForABrokerToCarryJobs() {
		this.application.withBean(ListBroker.class).run((context) -> {
			assertThat(context).hasSingleBean(DeleteAcknowledgedTask.class);
			JobQueue queue = context.getBean(JobQueue.class);
			long id = queue.enqueue("note", new Note("carried")).id();
			assertThat(context.getBean(Notes.class).await(1).get(0).id()).isEqualTo(id);
			Awaitility.await().until(() -> context.getBean(ListBroker.class).acknowledged() == 1);
			assertThat(queue.find(id)).isEmpty();
			assertThat(context.getBean(JobAdmin.class).explain(id).summary()).contains("carried by a list", "'note'");
			long stored = queue.enqueue(JobRequest.of("note", new Note("stored")).inDatabase()).id();
			Awaitility.await()
				.until(() -> queue.find(stored).filter((job) -> job.state() == JobState.SUCCEEDED).isPresent());
		});
	}

	@Test
	void withoutABeanThereIsNone() {
		this.application.run((context) -> assertThat(context).doesNotHaveBean(DeleteAcknowledgedTask.class));
	}

}
