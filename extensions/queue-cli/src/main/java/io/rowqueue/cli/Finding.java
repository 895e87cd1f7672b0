package io.rowqueue.cli;

import java.util.Locale;

import io.rowqueue.engine.support.LogText;

/**
 * What the doctor found.
 *
 * @param severity how bad it is
 * @param text the finding, and the remedy if there is something to do
 */
record Finding(Severity severity, String text) {

	/** How bad a finding is. */
	enum Severity {

		OK, WARN, PROBLEM

	}

	static Finding ok(String text) {
		return new Finding(Severity.OK, text);
	}

	static Finding warn(String text) {
		return new Finding(Severity.WARN, text);
	}

	static Finding problem(String text) {
		return new Finding(Severity.PROBLEM, text);
	}

	/** Names and reasons in it cannot control the terminal. */
	@Override
	public String toString() {
		return "%-8s %s".formatted(this.severity.name().toLowerCase(Locale.ROOT), LogText.oneLine(this.text));
	}

}
