package io.rowqueue.autoconfigure.handler;

import io.rowqueue.engine.handler.InvalidJobHandlerException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains an {@link InvalidJobHandlerException} without its stack trace. */
class InvalidJobHandlerFailureAnalyzer extends AbstractFailureAnalyzer<InvalidJobHandlerException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidJobHandlerException cause) {
		return new FailureAnalysis(cause.description(), cause.action(), cause);
	}

}
