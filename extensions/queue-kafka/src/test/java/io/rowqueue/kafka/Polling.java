package io.rowqueue.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobMessage;
import io.rowqueue.transport.JobPublisher;
import io.rowqueue.transport.TransportException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What tests do with consumers and publishers. */
final class Polling {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final Duration STEP = Duration.ofMillis(200);

	private Polling() {
	}

	/** Does what a busy broker may not answer in time, until it does, as workers do. */
	static <T> T patiently(Callable<T> request) {
		return await().atMost(PATIENCE)
			.pollDelay(Duration.ZERO)
			.ignoreException(TransportException.class)
			.until(request, (answer) -> true);
	}

	/** Publishes jobs, as often as it takes. */
	static void publish(JobPublisher publisher, List<JobMessage> jobs) {
		assertThat(patiently(() -> publisher.publish(jobs))).isEmpty();
	}

	/** Polls until there are so many. */
	static List<Delivery> poll(JobConsumer consumer, int jobs) throws InterruptedException {
		List<Delivery> result = new ArrayList<>();
		long end = System.nanoTime() + PATIENCE.toNanos();
		while (result.size() < jobs && System.nanoTime() < end) {
			result.addAll(consumer.poll(jobs - result.size(), STEP));
		}
		return result;
	}

	/** Polls until so many have come, and acknowledges each at once. */
	static List<Delivery> settle(JobConsumer consumer, int jobs) throws InterruptedException {
		List<Delivery> result = new ArrayList<>();
		long end = System.nanoTime() + PATIENCE.toNanos();
		while (result.size() < jobs && System.nanoTime() < end) {
			List<Delivery> some = consumer.poll(jobs - result.size(), STEP);
			consumer.acknowledge(some);
			result.addAll(some);
		}
		return result;
	}

	static List<JobMessage> jobs(String type, long first, int count) {
		return LongStream.range(first, first + count).mapToObj((id) -> job(type, id)).toList();
	}

	static JobMessage job(String type, long id) {
		return JobMessage.of(id, type, "default", 1_790_000_000_000_000L + id).payload("{\"number\":" + id + "}");
	}

	static Set<Long> ids(List<Delivery> deliveries) {
		return deliveries.stream().map((delivery) -> delivery.message().id()).collect(Collectors.toSet());
	}

}
