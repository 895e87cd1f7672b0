package io.pgqueue.store;

/**
 * Tells the database when a task has something to do, so that one statement looks for all
 * tasks and none runs for nothing.
 *
 * @param sql an expression for a time; {@code null}: there is nothing to do. It is
 * evaluated often, with any number of jobs: it must read no more than a few rows by an
 * index
 */
public record WhenDue(String sql) {

	/** At the earliest of several times. */
	static WhenDue first(String... times) {
		return new WhenDue("least(" + String.join(",\n", times) + ")");
	}

}
