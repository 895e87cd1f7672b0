package io.rowqueue.kafka.autoconfigure;

import io.rowqueue.kafka.BrokerRefusalException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a {@link BrokerRefusalException} without its stack trace. */
class BrokerRefusalFailureAnalyzer extends AbstractFailureAnalyzer<BrokerRefusalException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, BrokerRefusalException cause) {
		return new FailureAnalysis(cause.problem(), cause.remedy(), cause);
	}

}
