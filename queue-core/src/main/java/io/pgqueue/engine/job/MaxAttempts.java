package io.pgqueue.engine.job;

/**
 * How many attempts a job has at most: what its request says, or else what the options of
 * its handler say, which workers register by type.
 */
public final class MaxAttempts {

	/**
	 * Of a row with {@code max_attempts} and {@code type}, whose alias is to be formatted
	 * into it. Living workers may differ while a new version is deployed: the largest
	 * number counts. Null if no living worker runs the type.
	 */
	public static final String OF_ROW = """
			coalesce(%1$s.max_attempts, (
				select max((w.max_attempts ->> %1$s.type)::integer) from {schema}.worker w where w.dead_at is null))""";

	private MaxAttempts() {
	}

}
