package io.rowqueue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** The limit key of a request and its units. */
class JobRequestLimitKeyTests {

	private final JobRequest request = JobRequest.of("mail");

	@Test
	void aJobTakesOneUnitUnlessTheRequestSaysMore() {
		assertThat(this.request.limitKey("api:mail").limitUnits()).isEqualTo(1);
		assertThat(this.request.limitKey("api:mail", 3).limitUnits()).isEqualTo(3);
	}

	@Test
	void aLimitKeyReplacesTheOneBefore() {
		JobRequest replaced = this.request.limitKey("api:mail", 3).limitKey("tenant:42");
		assertThat(replaced.limitKey()).isEqualTo("tenant:42");
		assertThat(replaced.limitUnits()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, 10_001 })
	void unitsThatNoJobCanTakeAreRejected(int units) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.request.limitKey("a", units))
			.withMessageContaining("must be from 1 to 10000, not " + units);
	}

	@Test
	void aJobHasAFairnessKeyBesidesALimitKeyWhicheverIsSetFirst() {
		JobRequest both = this.request.limitKey("a", 3).fairnessKey("b");
		assertThat(both.limitKey()).isEqualTo("a");
		assertThat(both.fairnessKey()).isEqualTo("b");
		assertThat(this.request.fairnessKey("b").limitKey("a", 3)).isEqualTo(both);
		assertThat(both.fairnessKey("c").limitKey("d").fairnessKey()).isEqualTo("c");
	}

	@Test
	void aFairnessKeyAloneIsALimitKeyOfAClassOfItsOwn() {
		assertThat(this.request.fairnessKey("b").fairnessKey("c").limitKey()).isEqualTo("fair:c");
		assertThat(this.request.fairnessKey("c").fairnessKey()).isEqualTo("c");
		assertThat(this.request.limitKey("fair:c")).isEqualTo(this.request.fairnessKey("c"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.request.fairnessKey("x".repeat(196)));
	}

	@Test
	void aFairnessKeyTakesPrecedenceOverThatOfTheTypeAndLeavesItsLimitKey() {
		JobType<String> type = JobType.of("mail", String.class);
		JobRequest own = JobRequest.of("mail", "text").fairnessKey("b");
		assertThat(type.limitKey((mail) -> "fair:c").applyTo(own)).isEqualTo(own);
		assertThat(type.limitKey((mail) -> "a").applyTo(own)).isEqualTo(own.limitKey("a"));
	}

}
