package io.pgqueue.lab.bench;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class WorkloadTests {

	@ParameterizedTest
	@CsvSource({ "drain-1m, drain, 10", "enqueue-one-100k, enqueue-one, 5", "enqueue-bulk-1m, enqueue-bulk, 10",
			"backlog-10m, backlog, 5" })
	void aLongerOneDoesTheSameWithMoreJobs(String longer, String shorter, int times) {
		Workload one = Workload.named(longer).get(0);
		Workload other = Workload.named(shorter).get(0);
		assertThat(one.program()).isEqualTo(other.program());
		assertThat(one.full().get("JOBS")).isEqualTo(times * other.full().get("JOBS"));
		assertThat(one.full()).containsOnlyKeys(other.full().keySet());
	}

}
