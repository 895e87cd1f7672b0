package io.rowqueue.admin;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class WorkerSlotsTests {

	@Test
	void slotsAreANumberWithOrWithoutAQueue() {
		assertThat(WorkerSlots.parse("20")).isEqualTo(new WorkerSlots("*", 20));
		assertThat(WorkerSlots.parse("*=20")).isEqualTo(new WorkerSlots("*", 20));
		assertThat(WorkerSlots.parse("mail = 10000")).isEqualTo(new WorkerSlots("mail", 10_000));
		assertThat(WorkerSlots.parse("a=b=5")).as("a name may contain the sign").isEqualTo(new WorkerSlots("a=b", 5));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "many", "0", "-1", "10001", "1e3", "mail=", "mail=many", "=5" })
	void otherTextsAreRefusedWithAnExample(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> WorkerSlots.parse(text))
			.withMessageContaining("a number from 1 to 10000, such as 20, or mail=5");
	}

}
