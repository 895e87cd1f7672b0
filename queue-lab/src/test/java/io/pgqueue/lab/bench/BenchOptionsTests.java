package io.pgqueue.lab.bench;

import java.nio.file.Path;

import io.pgqueue.lab.contestant.Contestants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class BenchOptionsTests {

	@TempDir
	Path directory;

	@ParameterizedTest
	@CsvSource({ "drain-1m, pgqueue, 1000000", "drain-1m, limit-rows, 1000000", "drain-1m, db-scheduler, 200000",
			"drain-1m, jobrunr, 10000", "drain, db-scheduler, 100000", "backlog, quartz, 500000",
			"enqueue-one-100k, pgqueue, 100000", "enqueue-one-100k, jobrunr, 5000", "enqueue-bulk-1m, pgqueue, 1000000",
			"enqueue-bulk-1m, quartz, 10000" })
	void givesSlowContestantsFewerJobs(String workload, String contestant, int jobs) {
		BenchOptions options = options("--workloads", workload);
		assertThat(options.sizes(options.workloads().get(0), contestant)).containsEntry("JOBS", jobs);
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
		BenchOptions options = options("--workloads", "drain-1m", "--jobs", "300000");
		assertThat(options.sizes(options.workloads().get(0), "db-scheduler")).containsEntry("JOBS", 300_000);
	}

	private BenchOptions options(String... words) {
		String[] all = new String[words.length + 2];
		System.arraycopy(words, 0, all, 0, words.length);
		all[words.length] = "--directory";
		all[words.length + 1] = this.directory.toString();
		return BenchOptions.parse(all);
	}

}
