package io.rowqueue.sample.contact;

import java.util.List;

import io.rowqueue.FailJobException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CsvRowTests {

	@Test
	void theReaderReadsRowsWithTheirLines() {
		assertThat(CsvRow.read("Ada,ada@example.org\nAlan,alan@example.org\n"))
			.containsExactly(row(1, "Ada", "ada@example.org"), row(2, "Alan", "alan@example.org"));
	}

	@Test
	void theReaderNeedsNoEndOfTheLastLine() {
		assertThat(CsvRow.read("a,b")).containsExactly(row(1, "a", "b"));
	}

	@Test
	void theReaderAcceptsTheLineEndsOfWindows() {
		assertThat(CsvRow.read("a,b\r\nc,d\r\n")).containsExactly(row(1, "a", "b"), row(2, "c", "d"));
	}

	@Test
	void theReaderSkipsBlankLinesButCountsThem() {
		assertThat(CsvRow.read("\n\na,b\n\n")).containsExactly(row(3, "a", "b"));
	}

	@Test
	void theReaderKeepsEmptyFields() {
		assertThat(CsvRow.read(",a,\n")).containsExactly(row(1, "", "a", ""));
	}

	@Test
	void theReaderKeepsQuotedFieldsUnchanged() {
		assertThat(CsvRow.read("\"Lovelace, Ada\",\"\"\"a\"\"\"\n")).containsExactly(row(1, "Lovelace, Ada", "\"a\""));
	}

	@Test
	void theReaderCountsTheLinesInsideOfQuotes() {
		assertThat(CsvRow.read("\"a\nb\",c\nd,e\n")).containsExactly(row(2, "a\nb", "c"), row(3, "d", "e"));
	}

	@Test
	void theReaderHasNoRowsInAnEmptyFile() {
		assertThat(CsvRow.read("")).isEmpty();
	}

	@Test
	void theReaderNamesTheLineOfAQuoteThatDoesNotEnd() {
		assertThatExceptionOfType(FailJobException.class).isThrownBy(() -> CsvRow.read("a,b\nc,\"d\n\n"))
			.withMessageContaining("startline 2");
	}

	@Test
	void theReaderNamesTheLineOfTextAfterAQuote() {
		assertThatExceptionOfType(FailJobException.class).isThrownBy(() -> CsvRow.read("a,b\n\"c\"d,e\n"))
			.withMessageContaining("line: 2");
	}

	private static CsvRow row(int line, String... fields) {
		return new CsvRow(line, List.of(fields));
	}

}
