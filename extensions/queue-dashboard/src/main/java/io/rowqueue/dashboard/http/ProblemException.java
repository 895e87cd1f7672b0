package io.rowqueue.dashboard.http;

/** Ends a request with a {@link Problem}. */
public final class ProblemException extends RuntimeException {

	private final transient Problem problem;

	ProblemException(Problem problem) {
		super(problem.type() + ": " + problem.detail(), null, false, false);
		this.problem = problem;
	}

	/** Returns what is wrong. */
	public Problem problem() {
		return this.problem;
	}

}
