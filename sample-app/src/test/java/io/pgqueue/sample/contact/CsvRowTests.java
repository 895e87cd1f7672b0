package io.pgqueue.sample.contact;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CsvParserTests {

	@Test
	void readsRowsWithTheirLines() {
		assertThat(CsvParser.parse("Ada,ada@example.org\nAlan,alan@example.org\n"))
			.containsExactly(row(1, "Ada", "ada@example.org"), row(2, "Alan", "alan@example.org"));
	}

	@Test
	void needsNoEndOfTheLastLine() {
		assertThat(CsvParser.parse("a,b")).containsExactly(row(1, "a", "b"));
	}

	@Test
	void takesTheLineEndsOfWindows() {
		assertThat(CsvParser.parse("a,b\r\nc,d\r\n")).containsExactly(row(1, "a", "b"), row(2, "c", "d"));
	}

	@Test
	void skipsBlankLinesButCountsThem() {
		assertThat(CsvParser.parse("\n  \na,b\n\n")).containsExactly(row(3, "a", "b"));
	}

	@Test
	void keepsEmptyFields() {
		assertThat(CsvParser.parse(",a,\n")).containsExactly(row(1, "", "a", ""));
	}

	@Test
	void takesQuotedFieldsAsTheyAre() {
		assertThat(CsvParser.parse("\"Lovelace, Ada\",\"\"\"a\"\"\"\n"))
			.containsExactly(row(1, "Lovelace, Ada", "\"a\""));
	}

	@Test
	void countsTheLinesInsideOfQuotes() {
		assertThat(CsvParser.parse("\"a\nb\",c\nd,e\n")).containsExactly(row(1, "a\nb", "c"), row(3, "d", "e"));
	}

	@Test
	void hasNoRowsInAnEmptyFile() {
		assertThat(CsvParser.parse("")).isEmpty();
	}

	@Test
	void namesTheLineOfAQuoteThatDoesNotEnd() {
		assertThatExceptionOfType(NotCsvException.class).isThrownBy(() -> CsvParser.parse("a,b\nc,\"d\n\n"))
			.withMessage("line 2: a quoted field does not end");
	}

	@Test
	void namesTheLineOfTextAfterAQuote() {
		assertThatExceptionOfType(NotCsvException.class).isThrownBy(() -> CsvParser.parse("a,b\n\"c\"d,e\n"))
			.withMessage("line 2: text after a closing quote");
	}

	private static CsvRow row(int line, String... fields) {
		return new CsvRow(line, List.of(fields));
	}

}
