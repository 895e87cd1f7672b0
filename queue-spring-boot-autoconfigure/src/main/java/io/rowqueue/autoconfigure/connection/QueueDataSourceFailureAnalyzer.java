package io.rowqueue.autoconfigure.connection;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a {@link QueueDataSourceException} without its stack trace. */
class QueueDataSourceFailureAnalyzer extends AbstractFailureAnalyzer<QueueDataSourceException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, QueueDataSourceException cause) {
		return new FailureAnalysis(cause.problem(), cause.remedy(), cause);
	}

}
