package io.rowqueue.engine.attempt;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.rowqueue.JobContext;
import io.rowqueue.engine.support.IgnoredFailures;
import io.rowqueue.listen.AttemptScope;
import io.rowqueue.listen.AttemptScope.Opened;
import org.jspecify.annotations.Nullable;

/** The scopes of one attempt, the innermost one first. */
final class OpenScopes {

	private final Deque<Opened> opened = new ArrayDeque<>(4);

	private final IgnoredFailures ignored;

	OpenScopes(IgnoredFailures ignored) {
		this.ignored = ignored;
	}

	/** Opens all; if one cannot be opened, those before it are still to be closed. */
	void open(List<AttemptScope> scopes, JobContext job) {
		for (AttemptScope scope : scopes) {
			this.opened.push(scope.open(job, job.headers()));
		}
	}

	void failed(Throwable error) {
		end(error);
	}

	void close() {
		end(null);
	}

	/**
	 * Runs for each job, therefore without a lambda. The outcome of the attempt must not
	 * be lost with that of a scope.
	 * @param error why the attempt has failed; {@code null}: closes the scopes
	 */
	private void end(@Nullable Throwable error) {
		for (Opened scope : this.opened) {
			try {
				if (error != null) {
					scope.failed(error);
				}
				else {
					scope.close();
				}
			}
			catch (Throwable ex) {
				this.ignored.report(scope, ex);
			}
		}
	}

}
