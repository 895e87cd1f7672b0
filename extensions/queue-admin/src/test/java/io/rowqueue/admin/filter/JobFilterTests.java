package io.rowqueue.admin.filter;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
			.priority(NumberRange.atLeast(5))
			.created(new TimeRange(Instant.parse("2026-11-22T10:00:00Z"), null))
			.due(new TimeRange(null, Instant.parse("2026-11-22T11:00:00Z")))
			.text("refused")
			.build());
		assertThat(JobFilter.of(Map.of("priority", List.of("-3"))))
			.isEqualTo(JobFilter.builder().priority(NumberRange.of(-3)).build());
		assertThat(JobFilter.of(Map.of("attempt", List.of(">3"), "error", List.of("refused"), "-error",
				List.of("a", "9f3c51aa02be77d1"), "-state", List.of("failed"), "-queue", List.of("mail"), "-type",
				List.of("a", "b"))))
			.isEqualTo(JobFilter.builder()
				.attempts(NumberRange.atLeast(4))
				.error("refused")
				.exceptError("a", "9f3c51aa02be77d1")
				.exceptState(JobListState.FAILED)
				.exceptQueue("mail")
				.exceptType("a", "b")
				.build());
		assertThat(JobFilter.of(Map.of("attempt", List.of("<3"))).attempts()).isEqualTo(NumberRange.atMost(2));
		assertThat(JobFilter.of(Map.of("id", List.of("1", "2")))).isEqualTo(JobFilter.builder().id(1L, 2L).build());
		assertThat(JobFilter.of(Map.of())).isEqualTo(JobFilter.ALL);
	}

	@ParameterizedTest
	@CsvSource({ "sate, failed, is not a word of a filter", "state, fail, is not one of the states", "id, x, a number",
			"id, -1, positive", "priority, high, priority must be", "attempt, 5..1, must not exceed",
			"attempt, >1..5, attempt must be", "error, ' ', characters", "-worker, 1, is not a word of a filter",
			"-state, fail, is not one of the states", "queue, '', must not be blank", "-type, ' ', must not be blank",
			"created, yesterday, time range", "created, .., time range",
			"created, +400000-01-01T00:00Z.., the years 1 to 9999", "due, ..0000-01-01T00:00Z, the years 1 to 9999",
			"due, 2026-11-22.., with an offset", "q, ' ', characters",
			"ended, 2026-11-22T10:00Z.., succeeded and cancelled only" })
	void whatMakesNoSenseIsRefusedInWords(String word, String value, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> JobFilter.of(Map.of(word, List.of(value))))
			.withMessageContaining(message);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "state=failed&state=queued&queue=mail&type=a&type=b%26+c", "id=1&id=2", "key=a%3Db",
			"limitKey=customer%3A42&priority=%3E%3D5", "batch=7&priority=-3", "flow=7&priority=1..5",
			"priority=%3C%3D0", "state=running&worker=34", "payload=a.b%3Dc&payload=d%3De%3Df",
			"-state=failed&-state=queued&-type=a&attempt=%3E%3D4&error=refused&-error=9f3c51aa02be77d1", "-queue=mail",
			"created=2026-11-22T10%3A00%3A00Z..&q=50%25+off",
			"state=succeeded&due=..2026-11-22T10%3A00%3A00Z&started=2026-11-22T10%3A00%3A00Z..2026-11-22T11%3A00%3A00Z" })
	void aFilterIsWrittenAsItIsRead(String query) {
		JobFilter filter = JobFilter.ofQuery(query);
		assertThat(JobFilter.ofQuery(filter.query())).isEqualTo(filter);
		assertThat(filter.query()).hasSameSizeAs(query);
	}

	@Test
	void whatNotEveryoneMaySeeIsKnown() {
		for (String query : List.of("q=a", "key=a", "limitKey=a", "error=refused", "-error=refused", "tag=a",
				"header=a%3Db", "payload=a.b%3Dc")) {
			assertThat(JobFilter.ofQuery(query).selectsByContent()).as(query).isTrue();
		}
		for (String query : List.of("", "error=9f3c51aa02be77d1", "-error=9f3c51aa02be77d1", "attempt=3", "type=a")) {
			assertThat(JobFilter.ofQuery(query).selectsByContent()).as(query).isFalse();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "&", "&&" })
	void anEmptyFilterIsRefusedWhereAllItsJobsWouldBeChanged(String query) {
		assertThatIllegalArgumentException().isThrownBy(() -> JobFilter.ofQuery(query).requireSelective())
			.withMessageEndingWith("name their states: state=blocked&state=failed&state=queued&state=running"
					+ "&state=scheduled&state=starting&state=stuck");
		assertThat(JobFilter.ofQuery("queue=mail").requireSelective().queues()).containsExactly("mail");
	}

	@Test
	void aQueryThatCannotBeReadIsRefused() {
		for (String query : List.of("failed", "state=%", "sate=failed", "state")) {
			assertThatIllegalArgumentException().as(query).isThrownBy(() -> JobFilter.ofQuery(query));
		}
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
		assertThatIllegalArgumentException()
			.isThrownBy(() -> JobFilter.of(Map.of("state", List.of("failed"), "-state", List.of("failed", "queued"))))
			.withMessageContaining("all of the states are excluded");
		assertThatIllegalArgumentException().isThrownBy(() -> JobFilter.of(Map.of("error", List.of("a\0b"))))
			.withMessage("the text of an error must not contain the character NUL, which PostgreSQL cannot store");
		assertThatIllegalArgumentException().isThrownBy(() -> JobFilter.of(Map.of("key", List.of("a", "b"))))
			.withMessageContaining("once");
	}

}
