package io.rowqueue.engine.figures;

import org.jspecify.annotations.Nullable;

/**
 * Selects groups of errors.
 *
 * @param status {@code open}, {@code resolved} or {@code ignored}, or {@code null}
 * @param type the type of the jobs, or {@code null}
 * @param text a part of the type, the exception or, if {@code messages}, the stack trace,
 * or the fingerprint; {@code null} for any
 * @param messages whether the text may be searched in messages
 */
public record ErrorGroupFilter(@Nullable String status, @Nullable String type, @Nullable String text,
		boolean messages) {

	/** All groups. */
	public static final ErrorGroupFilter ALL = new ErrorGroupFilter(null, null, null, false);

	/** Returns the text as a pattern, or {@code null}. */
	@Nullable String pattern() {
		return (this.text != null) ? "%" + this.text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
				: null;
	}

}
