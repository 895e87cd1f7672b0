package io.rowqueue.sample.contact;

import java.util.List;

import jakarta.validation.Validation;
import jakarta.validation.ValidatorFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ContactTests {

	private static final ValidatorFactory validation = Validation.buildDefaultValidatorFactory();

	@AfterAll
	static void close() {
		validation.close();
	}

	@Test
	void aContactIsReadFromARow() {
		assertThat(contact("Ada", "ada@example.org")).isEqualTo(new Contact("Ada", "ada@example.org"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ada", "ada@", "@example.org", "a da@example.org", "a@b@c.org", "ada@.org",
			"ada@example..org", "ada@example.org." })
	void aContactNeedsAnAddress(String email) {
		assertThatExceptionOfType(BadRowException.class).isThrownBy(() -> contact("Ada", email))
			.withMessage("line 7: email is not a mail address");
	}

	/** A text that takes more than one pass would occupy a slot for minutes. */
	@Test
	void anInvalidAddressIsRejected() {
		assertThatExceptionOfType(BadRowException.class).isThrownBy(() -> contact("Ada", "a@" + ".".repeat(200_000)))
			.withMessage("line 7: email is longer than 254 characters, email is not a mail address");
	}

	@Test
	void aContactNeedsBothFields() {
		assertThatExceptionOfType(BadRowException.class).isThrownBy(() -> contact(" ", ""))
			.withMessage("line 7: email is missing, name is missing");
		assertThatExceptionOfType(BadRowException.class).isThrownBy(() -> contact("Ada"))
			.withMessage("line 7: expected 2 fields (name,email), not 1");
	}

	private static Contact contact(String... fields) {
		return Contact.of(new CsvRow(7, List.of(fields)), validation.getValidator());
	}

}
