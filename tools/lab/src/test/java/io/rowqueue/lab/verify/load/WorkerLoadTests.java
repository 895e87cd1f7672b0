package io.rowqueue.lab.verify.load;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WorkerLoadTests {

	@Test
	void theProcessesOfALongRunHaveNumbersOfTheirOwn() {
		long before = 0;
		for (int process = 1; process <= 2_000; process++) {
			int first = WorkerLoad.firstNumber("worker-" + process);
			assertThat((long) first).isGreaterThanOrEqualTo(before + 1_000_000);
			before = first;
		}
		assertThatExceptionOfType(ArithmeticException.class)
			.isThrownBy(() -> WorkerLoad.firstNumber("worker-" + 10_000));
	}

}
