package io.rowqueue.cli.importer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class QuartzCronTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			0 0 12 ? * 2-6      | 0 0 12 ? * MON-FRI
			0 0 12 ? * 1,7      | 0 0 12 ? * SUN,SAT
			0 0 12 ? * 6L       | 0 0 12 ? * FRIL
			0 0 12 ? * 6#3      | 0 0 12 ? * FRI#3
			0 0 12 ? * L        | 0 0 12 ? * SAT
			0 0 12 ? * MON-FRI  | 0 0 12 ? * MON-FRI
			0 0/5 14 L * ? *    | 0 0/5 14 L * ?
			""")
	void anExpressionIsConverted(String quartz, String spring) {
		assertThat(QuartzCron.rhythm(quartz, "Europe/Berlin")).hasToString("cron " + spring + " Europe/Berlin");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0 0 12 ? * 2/2", "0 0 12 ? * 6-2", "0 0 12 1 1 ? 2030", "0 12 * * *" })
	void anExpressionWithoutCounterpartIsRejected(String quartz) {
		assertThatIllegalArgumentException().isThrownBy(() -> QuartzCron.rhythm(quartz, "Europe/Berlin"));
	}

	@Test
	void theReasonNamesTheExpression() {
		assertThatIllegalArgumentException().isThrownBy(() -> QuartzCron.rhythm("0 0 12 1 1 ? 2030", "UTC"))
			.withMessageContaining("'0 0 12 1 1 ? 2030' has years");
	}

}
