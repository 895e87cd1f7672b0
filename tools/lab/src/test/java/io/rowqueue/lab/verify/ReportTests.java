package io.rowqueue.lab.verify;

import java.time.Duration;
import java.util.List;

import io.rowqueue.lab.verify.fault.Faults;
import io.rowqueue.lab.verify.verdict.Finding;
import io.rowqueue.lab.verify.verdict.Verdict;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReportTests {

	private final Report report = new Report(Options.parse("--faults", "none,disk"), "PostgreSQL");

	@Test
	void nothingIsProvedIfEveryFaultWasLeftOut() {
		this.report.skip(Faults.named("none"), "of the weather");
		this.report.skip(Faults.named("disk"), "of the weather");
		assertThat(this.report.isGood()).isFalse();
		assertThat(this.report.markdown()).contains("**Every fault was left out: nothing is proved.**");
	}

	@Test
	void theReportIsGoodIfSomeFaultsWereLeftOutAndNothingWasFound() {
		add(List.of());
		this.report.skip(Faults.named("disk"), "of the weather");
		assertThat(this.report.isGood()).isTrue();
		assertThat(this.report.markdown()).contains("**Nothing was lost");
	}

	@Test
	void theReportIsNotGoodIfSomethingWasFound() {
		add(List.of(new Finding(Finding.Kind.LOST, "a job")));
		this.report.skip(Faults.named("disk"), "of the weather");
		assertThat(this.report.isGood()).isFalse();
		assertThat(this.report.markdown()).contains("**There are findings.**");
	}

	@Test
	void theReportIsNotGoodIfAFaultWasNotBroughtToItsEnd() {
		add(List.of());
		this.report.broken(Faults.named("disk"), new IllegalStateException());
		assertThat(this.report.isGood()).isFalse();
	}

	@Test
	void whatARoundHasDoneIsShownOnceForAllOfItsEvents() {
		add(List.of());
		assertThat(this.report.markdown()).contains("12 buckets were moved.");
	}

	private void add(List<Finding> findings) {
		Verdict verdict = new Verdict(1, 0, 0, 1, 0, 0, 0, 0, Duration.ZERO, null, findings);
		this.report.add(new RoundResult(Faults.named("none"), verdict, List.of(), List.of("12 buckets were moved"), 0,
				Duration.ofSeconds(5)));
	}

}
