package io.pgqueue.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.pgqueue.JobQueue;
import io.pgqueue.JobRequest;
import io.pgqueue.JobState;
import io.pgqueue.admin.JobAdmin;
import io.pgqueue.autoconfigure.Notes.Note;
import io.pgqueue.engine.transport.DeleteAcknowledgedTask;
import io.pgqueue.transport.Delivery;
import io.pgqueue.transport.JobConsumer;
import io.pgqueue.transport.JobMessage;
import io.pgqueue.transport.JobPublisher;
import io.pgqueue.transport.JobTransport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class TransportTests {

	private final ApplicationContextRunner application = Applications.on(new TestDatabase()).withBean(Notes.class);

	@Test
	void aBeanIsEnoughForABrokerToCarryJobs() {
		this.application.withBean(Broker.class).run((context) -> {
			assertThat(context).hasSingleBean(DeleteAcknowledgedTask.class);
			JobQueue queue = context.getBean(JobQueue.class);
			long id = queue.enqueue("note", new Note("carried")).id();
			assertThat(context.getBean(Notes.class).await(1).get(0).id()).isEqualTo(id);
			Awaitility.await().until(() -> context.getBean(Broker.class).acknowledged.get() == 1);
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

	/** A list in this process. */
	static final class Broker implements JobTransport {

		private final BlockingQueue<JobMessage> jobs = new LinkedBlockingQueue<>();

		private final AtomicInteger acknowledged = new AtomicInteger();

		@Override
		public String name() {
			return "a list";
		}

		@Override
		public Set<String> types() {
			return Set.of("note");
		}

		@Override
		public JobPublisher createPublisher() {
			return new JobPublisher() {

				@Override
				public void publish(List<JobMessage> published) {
					Broker.this.jobs.addAll(published);
				}

				@Override
				public void close() {
					// it holds nothing
				}

			};
		}

		@Override
		public JobConsumer createConsumer(String type) {
			return new ListConsumer(this);
		}

	}

	private record ListConsumer(Broker broker) implements JobConsumer {

		@Override
		public List<Delivery> poll(int max, Duration timeout) throws InterruptedException {
			List<JobMessage> received = new ArrayList<>();
			if (max > 0) {
				JobMessage first = this.broker.jobs.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
				if (first != null) {
					received.add(first);
				}
			}
			return received.stream().map((job) -> Delivery.of(job, 1, job)).toList();
		}

		@Override
		public void wakeUp() {
			// it never waits for long
		}

		@Override
		public void acknowledge(Collection<Delivery> deliveries) {
			this.broker.acknowledged.addAndGet(deliveries.size());
		}

		@Override
		public void release(Collection<Delivery> deliveries) {
			deliveries.forEach((delivery) -> this.broker.jobs.add(delivery.message()));
		}

		@Override
		public void renew(Collection<Delivery> deliveries) {
			// no other process gets them
		}

		@Override
		public boolean isRevoked(Delivery delivery) {
			return false;
		}

		@Override
		public void onAcknowledgeFailure(Consumer<Collection<Delivery>> listener) {
			// none fails
		}

		@Override
		public void close() {
			// it holds nothing
		}

	}

}
