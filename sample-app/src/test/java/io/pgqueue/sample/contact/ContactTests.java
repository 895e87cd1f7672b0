package io.pgqueue.sample.contact;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ContactTests {

	@Test
	void isReadFromARow() {
		assertThat(Contact.of(new CsvRow(1, List.of("Ada", "ada@example.org"))))
			.isEqualTo(new Contact("Ada", "ada@example.org"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "ada", "ada@", "@example.org", "ada@example", "a da@example.org", "a@b@c.org",
			"ada@.org", "ada@example..org", "ada@example.org." })
	void needsAnAddress(String email) {
		assertThatExceptionOfType(BadRowException.class)
			.isThrownBy(() -> Contact.of(new CsvRow(7, List.of("Ada", email))))
			.withMessage("line 7: '" + email + "' is no mail address");
	}

	/** The pattern is never asked about a text that would occupy a slot for minutes. */
	@Test
	void refusesAnAddressThatNoMailServerTakes() {
		String longest = "a".repeat(242) + "@example.org";
		assertThat(Contact.of(new CsvRow(7, List.of("Ada", longest))).email()).isEqualTo(longest);
		assertThatExceptionOfType(BadRowException.class)
			.isThrownBy(() -> Contact.of(new CsvRow(7, List.of("Ada", "a@" + ".".repeat(200_000)))))
			.withMessage("line 7: a mail address has at most 254 characters, not 200002");
	}

	@Test
	void needsAName() {
		assertThatExceptionOfType(BadRowException.class)
			.isThrownBy(() -> Contact.of(new CsvRow(7, List.of(" ", "ada@example.org"))))
			.withMessage("line 7: no name");
	}

	@Test
	void needsTwoFields() {
		assertThatExceptionOfType(BadRowException.class).isThrownBy(() -> Contact.of(new CsvRow(7, List.of("Ada"))))
			.withMessage("line 7: expected 2 fields (name,email), not 1");
	}

}
