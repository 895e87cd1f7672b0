package io.rowqueue.lab.bench;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class MinuteChartTests {

	@TempDir
	Path directory;

	private Results results;

	@BeforeEach
	void begin() {
		this.results = new Results(this.directory.resolve("results.csv"));
	}

	@Test
	void aLineFallsWhereLessIsDone() {
		add("rowqueue", "1000.00;1000.00;500.00", "1.00;1.00;1.00");
		// the top is a tenth above the most, 170 high and 44 from the edge
		assertThat(svg()).contains("d=\"M70.0 59.5L350.0 59.5L630.0 136.7\"");
	}

	@Test
	void aMinuteInWhichNothingBeganIsAGapOfTheLatencies() {
		add("rowqueue", "10.00;0.00;10.00", "1.00;NaN;10.00");
		assertThat(svg()).contains("d=\"M70.0 472.0M630.0 302.0\"");
	}

	@Test
	void contestantsHaveTheSameScale() {
		add("rowqueue", "1000.00;1000.00", "1.00;1.00");
		add("other", "500.00;500.00", "1.00;1.00");
		assertThat(svg()).contains("M70.0 59.5L630.0 59.5", "M70.0 136.7L630.0 136.7", ">rowqueue</text>",
				">other</text>");
	}

	private void add(String contestant, String jobs, String latencies) {
		this.results.add(Workload.PINNED_LONG, contestant,
				Map.of("jobs_per_s_by_minute", jobs, "p50_ms_by_minute", latencies));
	}

	private String svg() {
		return new MinuteChart(this.results, Workload.PINNED_LONG).svg();
	}

}
