package io.pgqueue.engine.attempt;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

import io.pgqueue.JobContext;
import io.pgqueue.engine.support.ErrorText;
import io.pgqueue.listen.AttemptScope;
import io.pgqueue.listen.AttemptScope.Opened;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The scopes of one attempt, the innermost one first. */
final class OpenScopes {

	private static final Logger logger = LoggerFactory.getLogger(OpenScopes.class);

	private final Deque<Opened> opened = new ArrayDeque<>(4);

	/** Opens all; if one cannot be opened, those before it are still to be closed. */
	void open(List<AttemptScope> scopes, JobContext job) {
		for (AttemptScope scope : scopes) {
			this.opened.push(scope.open(job, job.headers()));
		}
	}

	void failed(Throwable error) {
		each((scope) -> scope.failed(error));
	}

	void close() {
		each(Opened::close);
	}

	private void each(Consumer<Opened> call) {
		for (Opened scope : this.opened) {
			try {
				call.accept(scope);
			}
			catch (Throwable ex) { // the outcome of the attempt must not be lost with it
				logger.warn("A scope of an attempt failed and is ignored: {}", ErrorText.summary(ex));
			}
		}
	}

}
