package io.rowqueue.engine.history;

import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * The partition with the finished jobs of one day, by UTC.
 *
 * @param day the day
 */
record HistoryPartition(LocalDate day) {

	private static final String PREFIX = "job_finished_";

	/** Returns the name of its table. */
	String name() {
		return PREFIX + this.day.format(DateTimeFormatter.BASIC_ISO_DATE);
	}

	/** Returns the partition with that table, if it is one of a day. */
	static Optional<HistoryPartition> named(String table) {
		if (!table.startsWith(PREFIX)) {
			return Optional.empty();
		}
		try {
			return Optional.of(new HistoryPartition(
					LocalDate.parse(table.substring(PREFIX.length()), DateTimeFormatter.BASIC_ISO_DATE)));
		}
		catch (DateTimeParseException ex) {
			return Optional.empty();
		}
	}

}
