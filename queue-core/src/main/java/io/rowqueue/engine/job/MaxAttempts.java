package io.rowqueue.engine.job;

/**
 * The maximum number of attempts of a job: that of its request, or else that of its
 * handler's options, which workers register by type.
 */
public final class MaxAttempts {

	/**
	 * An expression for a row with {@code max_attempts} and {@code type}, whose alias
	 * must be formatted into it. The options of live workers may differ during a
	 * deployment; the largest number applies. Null if no live worker runs the type.
	 */
	public static final String OF_ROW = """
			coalesce(%1$s.max_attempts, (
				select max((w.max_attempts ->> %1$s.type)::integer) from {schema}.worker w where w.dead_at is null))""";

	private MaxAttempts() {
	}

}
