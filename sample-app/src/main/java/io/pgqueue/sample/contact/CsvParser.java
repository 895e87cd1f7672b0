package io.pgqueue.sample.contact;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads CSV as RFC 4180 has it: fields in quotes may hold commas, line ends and doubled
 * quotes. Blank lines are skipped.
 */
final class CsvParser {

	private final String text;

	private final List<CsvRow> rows = new ArrayList<>();

	private int position;

	private int line = 1;

	private CsvParser(String text) {
		this.text = text;
	}

	/**
	 * Reads all rows.
	 * @param text the file
	 * @return the rows
	 * @throws NotCsvException if a quoted field does not end as it should
	 */
	static List<CsvRow> parse(String text) {
		CsvParser parser = new CsvParser(text);
		while (parser.position < text.length()) {
			parser.readRow();
		}
		return parser.rows;
	}

	private void readRow() {
		int begin = this.line;
		List<String> fields = new ArrayList<>();
		do {
			fields.add((peek() == '"') ? quoted() : plain());
		}
		while (skip(','));
		skip('\r');
		if (skip('\n')) {
			this.line++;
		}
		else if (this.position < this.text.length()) {
			throw new NotCsvException("line " + this.line + ": text after a closing quote");
		}
		if (fields.size() > 1 || !fields.get(0).isBlank()) {
			this.rows.add(new CsvRow(begin, List.copyOf(fields)));
		}
	}

	private String plain() {
		int begin = this.position;
		while (this.position < this.text.length() && ",\r\n".indexOf(peek()) < 0) {
			this.position++;
		}
		return this.text.substring(begin, this.position).strip();
	}

	private String quoted() {
		int begin = this.line;
		StringBuilder field = new StringBuilder();
		this.position++;
		while (this.position < this.text.length()) {
			char next = this.text.charAt(this.position++);
			if (next == '"' && !skip('"')) {
				return field.toString();
			}
			if (next == '\n') {
				this.line++;
			}
			field.append(next);
		}
		throw new NotCsvException("line " + begin + ": a quoted field does not end");
	}

	private char peek() {
		return (this.position < this.text.length()) ? this.text.charAt(this.position) : '\n';
	}

	private boolean skip(char expected) {
		if (this.position < this.text.length() && this.text.charAt(this.position) == expected) {
			this.position++;
			return true;
		}
		return false;
	}

}
