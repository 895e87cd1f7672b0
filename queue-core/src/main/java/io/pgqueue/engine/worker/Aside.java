package io.pgqueue.engine.worker;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;

import org.jspecify.annotations.Nullable;

/**
 * One statement that a thread has done beside its own work: it begins it, goes on, and
 * takes the result when it is told that it is there. Used by one thread.
 *
 * @param <T> the result
 */
final class Aside<T> {

	private final Executor executor;

	private final Runnable ready;

	private @Nullable FutureTask<T> task;

	/**
	 * Creates one that has begun nothing.
	 * @param executor what does it
	 * @param ready called by another thread when there is a result, or an error
	 */
	Aside(Executor executor, Runnable ready) {
		this.executor = executor;
		this.ready = ready;
	}

	void begin(Callable<T> statement) {
		FutureTask<T> begun = new FutureTask<>(statement) {

			@Override
			protected void done() {
				Aside.this.ready.run();
			}

		};
		this.executor.execute(begun);
		this.task = begun;
	}

	/** Whether something was begun whose result has not been taken. */
	boolean isBusy() {
		return this.task != null;
	}

	/** Whether there is something to take. */
	boolean isReady() {
		return this.task != null && this.task.isDone();
	}

	/** Takes the result, or throws what the statement threw. */
	T take() throws InterruptedException {
		FutureTask<T> begun = Objects.requireNonNull(this.task, "nothing was begun");
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
