package io.rowqueue.engine.claim;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;

import org.jspecify.annotations.Nullable;

/**
 * One statement at a time that another thread executes: its owner begins it, goes on, and
 * takes the result once it is notified. Used by one thread.
 *
 * @param <T> the result
 */
final class Background<T> {

	private final Executor executor;

	private final Runnable onEnd;

	private @Nullable FutureTask<T> task;

	/**
	 * Creates one that has begun nothing.
	 * @param executor executes the statements
	 * @param onEnd called by the executing thread when there is a result or an error
	 */
	Background(Executor executor, Runnable onEnd) {
		this.executor = executor;
		this.onEnd = onEnd;
	}

	void begin(Callable<T> statement) {
		FutureTask<T> begun = new FutureTask<>(statement) {

			@Override
			protected void done() {
				Background.this.onEnd.run();
			}

		};
		this.executor.execute(begun);
		this.task = begun;
	}

	/** Whether a statement has begun whose result has not been taken. */
	boolean isBusy() {
		return this.task != null;
	}

	/** Whether there is a result to take. */
	boolean isReady() {
		return this.task != null && this.task.isDone();
	}

	/** Takes the result, or throws what the statement threw. */
	T take() throws InterruptedException {
		FutureTask<T> begun = Objects.requireNonNull(this.task, "nothing has begun");
		T result;
		try {
			result = begun.get();
		}
		catch (ExecutionException ex) {
			this.task = null;
			if (ex.getCause() instanceof RuntimeException cause) {
				throw cause;
			}
			throw new IllegalStateException(ex.getCause());
		}
		this.task = null;
		return result;
	}

}
