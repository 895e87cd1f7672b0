package io.rowqueue.lab.bench;

import java.nio.file.Path;
import java.util.Map;

import io.rowqueue.lab.contestant.Contestants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class BenchOptionsTests {

	@TempDir
	Path directory;

	@ParameterizedTest
	@CsvSource({ "drain-warm, rowqueue, 1000000", "drain-warm, limit-rows, 1000000", "drain-warm, db-scheduler, 200000",
			"drain-warm, jobrunr, 10000", "drain, db-scheduler, 100000", "backlog, quartz, 500000",
			"drain, dbos, 10000", "backlog, namastack, 500000", "enqueue-one-warm, rowqueue, 100000",
			"enqueue-one-warm, jobrunr, 5000", "enqueue-bulk-warm, rowqueue, 1000000",
			"enqueue-bulk-warm, quartz, 10000" })
	void theBenchmarkGivesSlowContestantsFewerJobs(String workload, String contestant, int jobs) {
		BenchOptions options = options("--workloads", workload);
		assertThat(options.sizes(options.workloads().get(0), contestant)).containsEntry("JOBS", jobs);
	}

	@Test
	void slowContestantsWarmUpWithFewerJobsToo() {
		BenchOptions options = options("--workloads", "drain-warm");
		assertThat(options.sizes(options.workloads().get(0), "db-scheduler")).containsEntry("WARM_UP", 200_000);
	}

	@Test
	void aQuickRunIsSmallForAll() {
		BenchOptions options = options("--quick");
		assertThat(options.workloads()).allSatisfy((workload) -> assertThat(Contestants.ALL)
			.allSatisfy((contestant) -> assertThat(options.sizes(workload, contestant).getOrDefault("JOBS", 0))
				.isLessThanOrEqualTo(100_000)));
	}

	@Test
	void theNumberOfJobsThatWasAskedForIsForAll() {
		BenchOptions options = options("--workloads", "drain-warm", "--jobs", "300000");
		assertThat(options.sizes(options.workloads().get(0), "db-scheduler")).containsEntry("JOBS", 300_000);
	}

	@Test
	void aRateIsForSteady() {
		BenchOptions options = options("--workloads", "steady,drain", "--rate", "500");
		assertThat(options.sizes(options.workloads().get(0), "rowqueue")).containsEntry("RATE", 500);
		assertThat(options.sizes(options.workloads().get(1), "rowqueue")).doesNotContainKey("RATE");
		assertThatIllegalArgumentException().isThrownBy(() -> options("--rate", "500")).withMessageContaining("pinned");
	}

	@Test
	void aQuickRunHasADirectoryOfItsOwn() {
		assertThat(BenchOptions.parse("--quick").directory()).endsWithRaw(Path.of("target", "bench-quick"));
		assertThat(BenchOptions.parse().directory()).endsWithRaw(Path.of("target", "bench"));
		assertThat(options("--quick").directory()).isEqualTo(this.directory);
	}

	@Test
	void aProcessMayTakeAsLongAsItsWorkload() {
		assertThat(BenchRun.limitSeconds(Map.of("DURATION", "3600"))).isGreaterThan(4000);
		assertThat(BenchRun.limitSeconds(Map.of())).isPositive();
	}

	@Test
	void theUsageIsPrinted() throws Exception {
		assertThat(Bench.run("--help")).isZero();
		assertThat(Bench.run("--hlep")).isEqualTo(2);
		assertThat(BenchOptions.usage()).contains("[drain, drain-warm, ", "[rowqueue, ");
	}

	private BenchOptions options(String... words) {
		String[] all = new String[words.length + 2];
		System.arraycopy(words, 0, all, 0, words.length);
		all[words.length] = "--directory";
		all[words.length + 1] = this.directory.toString();
		return BenchOptions.parse(all);
	}

}
