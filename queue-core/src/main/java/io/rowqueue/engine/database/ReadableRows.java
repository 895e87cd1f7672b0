package io.rowqueue.engine.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;

/**
 * Reads rows that another process may have written with a newer JDK, which knows more
 * time zones. A row that this process cannot read must not affect the others: it is left
 * out, and is logged once.
 */
public final class ReadableRows {

	private final Logger logger;

	private final String message;

	private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the reader.
	 * @param logger logs rows that cannot be read
	 * @param message the message, with placeholders for the name of the row and the
	 * reason
	 */
	public ReadableRows(Logger logger, String message) {
		this.logger = logger;
		this.message = message;
	}

	/** Reads a row that has a name; empty if this process cannot read it. */
	public <T> Optional<T> read(ResultSet row, RowReader<T> reader) throws SQLException {
		String name = row.getString("name");
		try {
			T value = reader.read(row);
			this.unreadable.remove(name);
			return Optional.of(value);
		}
		catch (IllegalArgumentException ex) {
			if (this.unreadable.add(name)) {
				this.logger.error(this.message, name, ex.getMessage());
			}
			return Optional.empty();
		}
	}

	/** Returns how many rows could not be read when they were read last. */
	public int unreadable() {
		return this.unreadable.size();
	}

	/** Reads a row. */
	@FunctionalInterface
	public interface RowReader<T> {

		/**
		 * Returns what the row contains.
		 * @throws IllegalArgumentException if this process cannot read the row
		 */
		T read(ResultSet row) throws SQLException;

	}

}
