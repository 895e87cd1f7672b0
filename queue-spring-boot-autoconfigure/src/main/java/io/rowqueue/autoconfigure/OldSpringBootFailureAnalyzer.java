package io.rowqueue.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains an {@link OldSpringBootException} without its stack trace. */
class OldSpringBootFailureAnalyzer extends AbstractFailureAnalyzer<OldSpringBootException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, OldSpringBootException cause) {
		return new FailureAnalysis(cause.getMessage(),
				"Upgrade the application to Spring Boot 4.0 or newer, or remove the dependency on Rowqueue, which mixes"
						+ " modules of Spring Boot 4 into the application.",
				cause);
	}

}
