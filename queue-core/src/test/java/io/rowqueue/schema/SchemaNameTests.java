package io.rowqueue.schema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Which names a schema can have. */
class SchemaNameTests {

	@Test
	void theQuotedNameCanContainAnyCharacters() {
		assertThat(new SchemaName("a\"b").quoted()).isEqualTo("\"a\"\"b\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { "queue", "Queue-2", "select", "ünïcode", "with space" })
	void anyIdentifierIsAccepted(String name) {
		assertThat(new SchemaName(name)).hasToString(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "pg_queue", "information_schema", "a\0b" })
	void namesThatPostgresRejectsAreRejected(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> new SchemaName(name)).withMessageContaining("schema");
	}

	@Test
	void namesThatPostgresWouldTruncateAreRejected() {
		assertThat(new SchemaName("x".repeat(63)).value()).hasSize(63);
		assertThatIllegalArgumentException().isThrownBy(() -> new SchemaName("ü".repeat(32)))
			.withMessageContaining("63 bytes")
			.withMessageContaining("64");
	}

}
