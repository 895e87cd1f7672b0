package io.rowqueue.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.rowqueue.transport.TransportException;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs of each type the broker holds. A call returns the latest answer at once;
 * an old one is replaced in the background.
 */
final class Lag implements AutoCloseable {

	private final CarriedTypes types;

	private final GroupProgress progress;

	private final Duration maxAge;

	private final Map<String, Answer> answers = new ConcurrentHashMap<>();

	private final ThreadPoolExecutor executor = new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS,
			new LinkedBlockingQueue<>(), (task) -> {
				Thread thread = new Thread(task, "rowqueue-kafka-lag");
				thread.setDaemon(true);
				return thread;
			});

	Lag(CarriedTypes types, GroupProgress progress, Duration maxAge) {
		this.types = types;
		this.progress = progress;
		this.maxAge = maxAge;
	}

	OptionalLong of(String type) {
		Answer answer = latest(type);
		return (answer.jobs != null) ? OptionalLong.of(answer.jobs) : OptionalLong.empty();
	}

	/** Returns why the broker did not answer the last question about the type. */
	Optional<String> error(String type) {
		return Optional.ofNullable(latest(type).error);
	}

	private Answer latest(String type) {
		return this.answers.compute(type, (key, known) -> {
			if (known != null && (known.pending || System.nanoTime() - known.at < this.maxAge.toNanos())) {
				return known;
			}
			this.executor.execute(() -> this.answers.put(type, ask(type)));
			return (known != null) ? new Answer(known.jobs, known.error, known.at, true)
					: new Answer(null, null, System.nanoTime(), true);
		});
	}

	private Answer ask(String type) {
		try {
			long jobs = this.progress.of(this.types.get(type))
				.values()
				.stream()
				.mapToLong(GroupProgress.Progress::lag)
				.sum();
			return new Answer(jobs, null, System.nanoTime(), false);
		}
		catch (TransportException ex) {
			return new Answer(null, ex.getMessage(), System.nanoTime(), false);
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

	private record Answer(@Nullable Long jobs, @Nullable String error, long at, boolean pending) {

	}

}
