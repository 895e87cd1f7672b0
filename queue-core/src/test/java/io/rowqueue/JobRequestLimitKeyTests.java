package io.rowqueue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** The limit keys of a request and their units. */
class JobRequestLimitKeyTests {

	private final JobRequest request = JobRequest.of("mail");

	@Test
	void oneUnitOfOneKeyIsTheKeyItself() {
		assertThat(this.request.limitKey("api:mail").limitKey()).isEqualTo("api:mail");
		assertThat(this.request.limitKey("api:mail", 3).limitKey("api:mail", 1).limitKey()).isEqualTo("api:mail");
	}

	@Test
	void severalKeysAreOneTextInAFixedOrder() {
		assertThat(this.request.limitKey("tenant:42").limitKey("api:mail", 5).limitKey())
			.isEqualTo("all:{\"api:mail\":5,\"tenant:42\":1}")
			.isEqualTo(this.request.limitKey("api:mail", 5).limitKey("tenant:42").limitKey());
	}

	@Test
	void keysMayHaveQuotesAndBraces() {
		String key = "a\\\"}:{,\"\\";
		JobRequest once = this.request.limitKey(key, 2).limitKey("b");
		assertThat(this.request.limitKey(once.limitKey()).limitKey()).isEqualTo(once.limitKey());
		assertThat(once.limitKey(key, 1).limitKey("b", 1).limitKey("c").limitKey())
			.isEqualTo("all:{\"a\\\\\\\"}:{,\\\"\\\\\":1,\"b\":1,\"c\":1}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "all:", "all:x", "all:{}", "all:{\"a\":1", "all:{\"a\":1,}", "all:{\"a\":0}",
			"all:{\"\":1}", "all:{\"a\":20000}", "all:{\"fair:a\":2}", "all:{\"a\":1}x" })
	void aCombinationThatIsNotWellFormedIsRejected(String key) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.request.limitKey(key));
	}

	@Test
	void tooMuchIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.request.limitKey("a", 0))
			.withMessageContaining("must be from 1 to 10000, not 0");
		assertThatIllegalArgumentException().isThrownBy(
				() -> this.request.limitKey("a").limitKey("b").limitKey("c").limitKey("d").limitKey("e").limitKey("f"))
			.withMessageContaining("at most 5 limit keys");
		assertThatIllegalArgumentException()
			.isThrownBy(
					() -> this.request.limitKey("a".repeat(200)).limitKey("b".repeat(200)).limitKey("c".repeat(200)))
			.withMessageContaining("at most 600 characters");
		assertThatIllegalArgumentException().isThrownBy(() -> this.request.limitKey("a").fairnessKey("b"))
			.withMessageContaining("not both");
	}

}
