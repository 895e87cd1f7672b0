package io.rowqueue.lab.bench;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class WorkloadTests {

	@ParameterizedTest
	@CsvSource({ "drain-warm, drain", "enqueue-one-warm, enqueue-one", "enqueue-bulk-warm, enqueue-bulk",
			"scale-1-warm, scale-1", "scale-4-warm, scale-4" })
	void aWarmOneDoesTheSameAfterItHasDoneItBefore(String warm, String young) {
		Workload one = Workload.named(warm).get(0);
		Workload other = Workload.named(young).get(0);
		assertThat(one.program()).isEqualTo(other.program());
		assertThat(one.processes()).isEqualTo(other.processes());
		assertThat(other.full()).doesNotContainKey("WARM_UP");
		assertThat(one.full().get("WARM_UP")).isGreaterThan(one.full().get("JOBS"));
	}

	@Test
	void aLongerBacklogIsTheSameWithMoreJobs() {
		Workload one = Workload.named("backlog-10m").get(0);
		Workload other = Workload.named("backlog").get(0);
		assertThat(one.program()).isEqualTo(other.program());
		assertThat(one.full().get("JOBS")).isEqualTo(5 * other.full().get("JOBS"));
	}

}
