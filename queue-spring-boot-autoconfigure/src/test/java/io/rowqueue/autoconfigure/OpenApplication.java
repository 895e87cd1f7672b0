package io.rowqueue.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application that a runner started, and that runs until it is closed. */
public final class OpenApplication implements AutoCloseable {

	private final CompletableFuture<AssertableApplicationContext> context = new CompletableFuture<>();

	private final CountDownLatch closed = new CountDownLatch(1);

	private final Thread thread;

	OpenApplication(ApplicationContextRunner application) {
		this.thread = new Thread(() -> run(application), "application");
		this.thread.start();
	}

	private void run(ApplicationContextRunner application) {
		try {
			application.run((started) -> {
				this.context.complete(started);
				this.closed.await();
			});
		}
		catch (RuntimeException | Error ex) {
			this.context.completeExceptionally(ex);
			throw ex;
		}
	}

	/** Returns when it has started, or failed to. */
	public AssertableApplicationContext context() {
		return this.context.join();
	}

	/** Returns when it has ended. */
	@Override
	public void close() {
		this.closed.countDown();
		try {
			this.thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
