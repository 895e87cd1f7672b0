package io.rowqueue.lab.verify;

import java.util.ArrayList;
import java.util.List;

import io.rowqueue.lab.verify.verdict.Finding.Kind;
import io.rowqueue.lab.verify.verdict.Verdict;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ProductsRoundTests {

	private static final List<String> RUN = List.of("12:00:00 INFO a line of the log", "committed=10", "unknown=1",
			"rolled_back=2", "runs=12", "threw=3", "interrupted=1", "");

	private final List<String> output = new ArrayList<>(RUN);

	@Test
	void theVerdictCountsTheJobsOfAllRuns() {
		this.output.addAll(RUN);
		Verdict verdict = ProductsRound.verdict(this.output, 0);
		assertThat(verdict.isGood()).isTrue();
		assertThat(List.of(verdict.acknowledged(), verdict.unknown(), verdict.rolledBack(), verdict.runs(),
				verdict.onPurpose(), verdict.interrupted()))
			.containsExactly(20, 2, 4, 24, 6, 2);
	}

	@Test
	void aBrokenPromiseIsAFinding() {
		this.output.add("finding=job 7: It is in two places: one, another");
		Verdict verdict = ProductsRound.verdict(this.output, 1);
		assertThat(verdict.isGood()).isFalse();
		assertThat(verdict.count(Kind.PROMISE)).isOne();
		assertThat(verdict.findings().get(0).text()).isEqualTo("job 7: It is in two places: one, another");
	}

	@Test
	void aGeneratorThatHasNotComeToItsEndProvesNothing() {
		assertThatIllegalStateException()
			.isThrownBy(() -> ProductsRound.verdict(List.of("Exception in thread \"main\""), 1))
			.withMessageContaining("Exception in thread");
		assertThatIllegalStateException().isThrownBy(() -> ProductsRound.verdict(List.of(), 0));
		assertThatIllegalStateException().isThrownBy(() -> ProductsRound.verdict(this.output, 143));
	}

}
