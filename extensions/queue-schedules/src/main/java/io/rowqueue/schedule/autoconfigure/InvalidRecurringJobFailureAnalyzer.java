package io.rowqueue.schedule.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains an {@link InvalidRecurringJobException} without its stack trace. */
class InvalidRecurringJobFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRecurringJobException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidRecurringJobException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()),
				"Set " + cause.property() + " in the application's configuration.", cause);
	}

}
