package io.pgqueue.engine.attempt;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

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
		for (Opened scope : this.opened) {
			try {
				scope.failed(error);
			}
			catch (Throwable ex) {
				ignore(ex);
			}
		}
	}

	/** Runs for each job, therefore without a lambda. */
	void close() {
		for (Opened scope : this.opened) {
			try {
				scope.close();
			}
			catch (Throwable ex) {
				ignore(ex);
			}
		}
	}

	/** The outcome of the attempt must not be lost with it. */
	private static void ignore(Throwable ex) {
		logger.warn("A scope of an attempt failed and is ignored: {}", ErrorText.summary(ex));
	}

}
