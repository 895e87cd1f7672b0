package io.rowqueue.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import io.rowqueue.lab.contestant.LabDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Real processes on a real database. Their figures mean nothing, their ledgers do. */
@Tag("thorough")
class BenchTests {

	@TempDir
	Path directory;

	@ParameterizedTest
	@CsvSource({ "drain-warm, 10000", "scale-2, 5000" }) // what it warms up with included
	void theBenchmarkMeasuresWhatProcessesDoBetweenTheirMarksAndChecksTheirLedgers(String workload, String jobs)
			throws Exception {
		assertThat(bench("--quick", "--workloads", workload, "--contestants", "rowqueue")).isZero();
		Results results = new Results(this.directory.resolve("results.csv"));
		assertThat(results.values(workload, "rowqueue", "executed")).containsExactly(jobs);
		assertThat(results.values(workload, "rowqueue", "duplicates")).containsOnly("0");
		assertThat(results.values(workload, "rowqueue", "missing")).containsOnly("0");
		assertThat(results.spread(workload, "rowqueue", BenchReport.THROUGHPUT)[0]).isPositive();
		assertThat(results.spread(workload, "rowqueue", "wal_bytes_per_job")[0])
			.as("that of other tests on this server included")
			.isGreaterThan(300);
		assertThat(this.directory.resolve("benchmarks.md")).content().contains("## " + workload, "| ok |");
		assertThat(this.directory.resolve("benchmarks.svg")).content().contains("</svg>");
	}

	@Test
	void aContestantThatFailsIsNamedAndMakesTheRunBad() throws Exception {
		Path broken = executable("broken", "#!/bin/sh\nexit 3\n");
		assertThat(bench("--quick", "--workloads", "drain", "--contestants", "limit-rows", "--external",
				"broken=" + broken))
			.isOne();
		Results results = new Results(this.directory.resolve("results.csv"));
		assertThat(results.values("drain", "limit-rows", "executed")).containsExactly("5000");
		assertThat(results.values("drain", "broken", "failed")).singleElement().asString().contains("3");
	}

	@Test
	void aReportOfNothingReplacesNoReport() throws Exception {
		Path table = Files.writeString(this.directory.resolve("benchmarks.md"), "of another run");
		assertThat(bench("--report")).isEqualTo(2);
		assertThat(table).hasContent("of another run");
		assertThat(this.directory).isDirectoryNotContaining("glob:**.csv");
	}

	@Test
	void eachRoundBeginsWithAnotherContestant() throws Exception {
		String refuses = "#!/bin/sh\necho unsupported=all\n";
		assertThat(bench("--workloads", "enqueue-one", "--contestants", "limit-rows", "--external",
				"a=" + executable("a", refuses), "--external", "b=" + executable("b", refuses), "--runs", "3"))
			.isZero();
		assertThat(Files.readAllLines(this.directory.resolve("results.csv"))
			.stream()
			.filter((line) -> line.contains(",unsupported,"))).extracting((line) -> line.split(",")[1])
			.containsExactly("a", "b", "b", "a", "a", "b");
	}

	@Test
	void aFillingThatCrashesIsAFailureAndARefusalIsNone() throws Exception {
		Path crashing = executable("crashing", "#!/bin/sh\nexit 3\n");
		assertThat(bench("--quick", "--workloads", "scale-2", "--contestants", "limit-insert", "--external",
				"crashing=" + crashing))
			.isOne();
		Results results = new Results(this.directory.resolve("results.csv"));
		assertThat(results.values("scale-2", "crashing", "failed")).singleElement().asString().contains("3");
		assertThat(results.values("scale-2", "crashing", "unsupported")).isEmpty();
		Path refusing = executable("refusing", "#!/bin/sh\necho unsupported=that\n");
		assertThat(bench("--quick", "--workloads", "scale-2", "--contestants", "limit-insert", "--external",
				"refusing=" + refusing))
			.isZero();
		assertThat(new Results(this.directory.resolve("results.csv")).values("scale-2", "refusing", "unsupported"))
			.containsExactly("that");
	}

	@Test
	void runsOfOtherSizesAreNotAddedToAFile() throws Exception {
		Path some = executable("some", "#!/bin/sh\necho unsupported=all\n");
		String[] words = { "--workloads", "enqueue-one", "--contestants", "limit-rows", "--external", "some=" + some,
				"--runs", "1" };
		assertThat(bench(words)).isZero();
		assertThat(bench(words)).isZero();
		String[] fewer = Arrays.copyOf(words, words.length + 2);
		fewer[words.length] = "--jobs";
		fewer[words.length + 1] = "100";
		assertThat(bench(fewer)).isEqualTo(2);
		assertThat(new Results(this.directory.resolve("results.csv")).values("enqueue-one", "some", "sizes"))
			.containsExactly("JOBS=20000 THREADS=8", "JOBS=20000 THREADS=8");
		fewer[1] = "enqueue-bulk";
		assertThat(bench(fewer)).isZero();
	}

	@Test
	void aFileOfRunsWithoutSizesIsReadAndNotAddedTo() throws Exception {
		Files.writeString(this.directory.resolve("results.csv"), """
				workload,contestant,run,metric,value
				drain,rowqueue,1,version,0.1.0
				drain,rowqueue,1,jobs_per_s,1000
				""");
		assertThat(bench("--report")).isZero();
		assertThat(this.directory.resolve("benchmarks.md")).content().contains("| **rowqueue** | 1 | 1.00 | 1,000 |");
		assertThat(bench("--workloads", "drain", "--contestants", "rowqueue")).isEqualTo(2);
	}

	private Path executable(String name, String script) throws IOException {
		Path file = Files.writeString(this.directory.resolve(name), script);
		assertThat(file.toFile().setExecutable(true)).isTrue();
		return file;
	}

	private int bench(String... words) throws Exception {
		String[] all = new String[words.length + 4];
		System.arraycopy(words, 0, all, 4, words.length);
		all[0] = "--url";
		all[1] = LabDatabase.url();
		all[2] = "--directory";
		all[3] = this.directory.toString();
		return Bench.run(all);
	}

}
