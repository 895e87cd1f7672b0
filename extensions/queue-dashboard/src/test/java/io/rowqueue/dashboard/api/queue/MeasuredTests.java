package io.rowqueue.dashboard.api.queue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.rowqueue.dashboard.api.Count;
import io.rowqueue.engine.measure.Figure;
import io.rowqueue.engine.measure.MeasurementStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many jobs a type has: in the words of the measurement, as exact as those of its
 * queues.
 */
class MeasuredTests {

	@Test
	void theJobsOfATypeAreThoseOfAllItsQueues() {
		assertThat(of(queue("mail", "queued", 12, null), queue("bulk", "queued", 3, null), type("mail", "queued", 7),
				type("bulk", "queued", 3), type("mail", "running", 2))
			.countsOfType("letter")).isEqualTo(Map.of("queued", Count.exact(10), "running", Count.exact(2)));
	}

	@Test
	void theyAreAnEstimateWhereTheQueueIsOneOrHasManyFailedJobs() {
		assertThat(of(queue("mail", "queued", 20_000, Figure.ESTIMATE), queue("mail", "failed", 1000, null),
				type("mail", "queued", 7), type("mail", "failed", 30))
			.countsOfType("letter")).isEqualTo(Map.of("queued", Count.estimate(7), "failed", Count.estimate(30)));
	}

	@Test
	void thereAreAtLeastAsManyWhereNotAllQueuesOrTypesAreMeasured() {
		assertThat(of(queue("mail", "queued", 7, null), queue(Figure.OTHER_QUEUES, "queued", 1, null),
				type("mail", "queued", 7))
			.countsOfType("letter")).isEqualTo(Map.of("queued", Count.atLeast(7)));
		List<Figure> figures = new ArrayList<>();
		IntStream.range(0, MeasurementStore.MAX_TYPES)
			.forEach((i) -> figures.add(new Figure(Figure.JOBS_OF_TYPE, "mail", "queued", 1, "type-" + i)));
		assertThat(new Measured(Instant.EPOCH, figures).countsOfType("letter"))
			.isEqualTo(Map.of("queued", Count.atLeast(0)));
	}

	private static Measured of(Figure... figures) {
		return new Measured(Instant.EPOCH, List.of(figures));
	}

	private static Figure queue(String queue, String state, double jobs, @Nullable String text) {
		return new Figure(Figure.JOBS, queue, state, jobs, text);
	}

	private static Figure type(String queue, String state, double jobs) {
		return new Figure(Figure.JOBS_OF_TYPE, queue, state, jobs, "letter");
	}

}
