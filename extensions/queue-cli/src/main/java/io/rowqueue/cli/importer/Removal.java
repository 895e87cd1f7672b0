package io.rowqueue.cli.importer;

import java.util.List;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * Removes a job from the tables of its scheduler, unless that has changed it meanwhile.
 *
 * @param statements the statements; the first one decides
 */
record Removal(List<Statement> statements) {

	/** A statement and its arguments. */
	record Statement(String sql, List<Object> arguments) {

	}

	static Removal of(String sql, Object... arguments) {
		return new Removal(List.of(new Statement(sql, List.of(arguments))));
	}

	/** Returns whether the job was there, unchanged. */
	boolean run(JdbcOperations jdbc) {
		int removed = -1;
		for (Statement statement : this.statements) {
			int rows = jdbc.update(statement.sql(), statement.arguments().toArray());
			removed = (removed < 0) ? rows : removed;
			if (removed != 1) {
				return false;
			}
		}
		return true;
	}

}
