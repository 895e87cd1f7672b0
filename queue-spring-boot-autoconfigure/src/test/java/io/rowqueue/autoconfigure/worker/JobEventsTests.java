package io.rowqueue.autoconfigure.worker;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.rowqueue.JobFailedEvent;
import io.rowqueue.JobHandler;
import io.rowqueue.JobQueue;
import io.rowqueue.JobState;
import io.rowqueue.autoconfigure.Applications;
import io.rowqueue.autoconfigure.TestDatabase;
import org.junit.jupiter.api.Test;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/** What an application is notified of by application events. */
class JobEventsTests {

	@Test
	void thePermanentFailureOfAJobIsPublishedOnceItIsCommitted() {
		Applications.on(new TestDatabase())
			.withBean(Payments.class)
			.withPropertyValues("rowqueue.worker.max-attempts=2", "rowqueue.retry.initial-delay=10ms")
			.run((context) -> {
				JobQueue queue = context.getBean(JobQueue.class);
				long id = queue.enqueue("pay", null).id();
				Published published = context.getBean(Payments.class).published.poll(3, TimeUnit.MINUTES);
				assertThat(published).isNotNull();
				assertThat(published.event().job().id()).isEqualTo(id);
				assertThat(published.event().job().attempt()).as("not the attempt that was retried").isEqualTo(2);
				assertThat(published.event().error()).hasMessage("There is no account");
				assertThat(published.state()).isEqualTo(JobState.FAILED);
			});
	}

	static class Payments {

		private final BlockingQueue<Published> published = new LinkedBlockingQueue<>();

		private final JobQueue queue;

		Payments(JobQueue queue) {
			this.queue = queue;
		}

		@JobHandler("pay")
		void pay() {
			throw new IllegalStateException("There is no account");
		}

		@EventListener
		void failed(JobFailedEvent event) {
			this.published.add(new Published(event, this.queue.find(event.job().id()).orElseThrow().state()));
		}

	}

	/**
	 * An event.
	 *
	 * @param state the state of the job when it was published
	 */
	record Published(JobFailedEvent event, JobState state) {

	}

}
