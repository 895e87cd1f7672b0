package io.rowqueue.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobMessage;
import io.rowqueue.transport.JobPublisher;
import io.rowqueue.transport.JobTransport;

/** A broker that is a list in this process, and carries the jobs of the type "note". */
public final class ListBroker implements JobTransport {

	private final BlockingQueue<JobMessage> jobs = new LinkedBlockingQueue<>();

	private final Collection<Long> published = new ConcurrentLinkedQueue<>();

	private final AtomicInteger acknowledged = new AtomicInteger();

	private final AtomicInteger consumers = new AtomicInteger();

	/** Returns the ids of the jobs that were published. */
	public Collection<Long> published() {
		return List.copyOf(this.published);
	}

	/** Returns how many deliveries were acknowledged. */
	public int acknowledged() {
		return this.acknowledged.get();
	}

	/** Returns how many consumers were created. */
	public int consumers() {
		return this.consumers.get();
	}

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
			public List<JobMessage> publish(List<JobMessage> messages) {
				ListBroker.this.jobs.addAll(messages);
				messages.forEach((job) -> ListBroker.this.published.add(job.id()));
				return List.of();
			}

			@Override
			public void close() {
				// it holds nothing
			}

		};
	}

	@Override
	public JobConsumer createConsumer(String type) {
		this.consumers.incrementAndGet();
		return new ListConsumer(this);
	}

	private record ListConsumer(ListBroker broker) implements JobConsumer {

		@Override
		public List<Delivery> poll(int max, Duration timeout) throws InterruptedException {
			List<JobMessage> received = new ArrayList<>();
			if (max > 0) {
				JobMessage first = this.broker.jobs.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
				if (first != null) {
					received.add(first);
				}
			}
			return received.stream().map((job) -> Delivery.of(job, "list " + job.id(), 1, job)).toList();
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
