package io.pgqueue.admin;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** A filter in the words of an address. */
class JobFilterTests {

	@Test
	void eachWordIsRead() {
		JobFilter filter = JobFilter.of(Map.of("state", List.of("failed", "queued"), "queue", List.of("mail"), "type",
				List.of("a", "b"), "priority", List.of(">=5"), "created", List.of("2026-11-22T10:00Z.."), "due",
				List.of("..2026-11-22T12:00+01:00"), "q", List.of("refused")));
		assertThat(filter).isEqualTo(JobFilter.builder()
			.state(JobListState.FAILED, JobListState.QUEUED)
			.queue("mail")
			.type("a", "b")
			.priority(5, null)
			.created(new TimeRange(Instant.parse("2026-11-22T10:00:00Z"), null))
			.due(new TimeRange(null, Instant.parse("2026-11-22T11:00:00Z")))
			.text("refused")
			.build());
		assertThat(JobFilter.of(Map.of("priority", List.of("-3"))))
			.isEqualTo(JobFilter.builder().priority(-3, -3).build());
		assertThat(JobFilter.of(Map.of("id", List.of("1", "2")))).isEqualTo(JobFilter.builder().id(1L, 2L).build());
		assertThat(JobFilter.of(Map.of())).isEqualTo(JobFilter.ALL);
	}

	@ParameterizedTest
	@CsvSource({ "sate, failed, is not a word of a filter", "state, fail, is not one of the states", "id, x, a number",
			"id, -1, positive", "priority, high, priority must be", "created, yesterday, time range",
			"created, .., time range", "due, 2026-11-22.., with an offset", "q, ' ', characters",
			"ended, 2026-11-22T10:00Z.., succeeded and cancelled only" })
	void whatMakesNoSenseIsRefusedInWords(String word, String value, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> JobFilter.of(Map.of(word, List.of(value))))
			.withMessageContaining(message);
	}

	@Test
	void whatMakesNoSenseTogetherIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> JobFilter.of(Map.of("state", List.of("failed", "succeeded"))))
			.withMessageContaining("apart");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> JobFilter.of(Map.of("key", List.of("a"), "batch", List.of("1"))))
			.withMessageContaining("only one of");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> JobFilter.of(Map.of("state", List.of("queued"), "worker", List.of("1"))))
			.withMessageContaining("worker goes with");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> JobFilter.of(Map.of("state", List.of("cancelled"), "limitKey", List.of("a"))))
			.withMessageContaining("neither");
		assertThatIllegalArgumentException().isThrownBy(() -> JobFilter.of(Map.of("key", List.of("a", "b"))))
			.withMessageContaining("once");
	}

}
