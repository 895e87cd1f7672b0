package io.rowqueue.sample.contact;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.FailJobException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * A row of a CSV file.
 *
 * @param line the line at which it ends, starting with 1
 * @param fields the fields
 */
record CsvRow(long line, List<String> fields) {

	private static final CSVFormat FORMAT = CSVFormat.RFC4180.builder()
		.setIgnoreSurroundingSpaces(true)
		.setIgnoreEmptyLines(true)
		.get();

	/** Reads a file. A file that is not CSV fails the job without a retry. */
	static List<CsvRow> read(String csv) {
		List<CsvRow> rows = new ArrayList<>();
		try (CSVParser parser = CSVParser.parse(csv, FORMAT)) {
			for (CSVRecord record : parser) {
				rows.add(new CsvRow(parser.getCurrentLineNumber(), record.toList()));
			}
		}
		catch (IOException | UncheckedIOException ex) {
			throw new FailJobException("The file is not CSV: " + ex.getMessage(), ex);
		}
		return rows;
	}

}
