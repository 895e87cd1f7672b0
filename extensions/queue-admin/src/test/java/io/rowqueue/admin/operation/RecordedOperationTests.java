package io.rowqueue.admin.operation;

import java.time.Instant;
import java.util.Map;

import io.rowqueue.masking.TextMasker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What is shown of an operation to those who may not see payloads. */
class RecordedOperationTests {

	private static final String HIDDEN = "******";

	@Test
	void namesThatHandlersChooseAreMasked() {
		assertThat(masked("retry", "jobs", "42", Map.of("step", "charge Ada")).parameters())
			.containsExactly(Map.entry("step", HIDDEN));
		assertThat(masked("signal", "jobs", "42", Map.of("signal", "from Ada", "payload", "3 characters")).parameters())
			.containsOnly(Map.entry("signal", HIDDEN), Map.entry("payload", "3 characters"));
	}

	/** A limit whose name has no colon is that of a class of keys. */
	@ParameterizedTest
	@CsvSource({ "limit, customer, customer", "unlimit, customer, customer", "limit, customer:42, customer:******",
			"hold, customer:42, customer:******", "hold, ada, ******", "release, ada, ******", "weight, ada, ******" })
	void keysAreMaskedAndClassesAreNot(String action, String name, String shown) {
		assertThat(masked(action, "keys", name, Map.of()).name()).isEqualTo(shown);
	}

	@Test
	void namesOfQueuesAreShown() {
		assertThat(masked("hold", "queues", "mail:1", Map.of("delay", "10m")))
			.isEqualTo(operation("hold", "queues", "mail:1", Map.of("delay", "10m")));
	}

	private static RecordedOperation masked(String action, String kind, String name, Map<String, String> parameters) {
		return operation(action, kind, name, parameters).masked(TextMasker.ALL);
	}

	private static RecordedOperation operation(String action, String kind, String name,
			Map<String, String> parameters) {
		return new RecordedOperation(1, Instant.EPOCH, "ada", "dashboard", null, action, kind, name, parameters, null,
				RecordedOperation.State.DONE, "done", null, Instant.EPOCH, null);
	}

}
