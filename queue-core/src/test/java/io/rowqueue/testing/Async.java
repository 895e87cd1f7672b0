package io.rowqueue.testing;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs things beside the test, each in a thread of its own: the common pool has as many
 * threads as the machine has processors, or fewer, and a test that waits in it would stop
 * all others.
 */
public final class Async {

	private static final String NAME = "beside-the-test";

	private static final Executor THREADS = (task) -> {
		Thread thread = new Thread(task, NAME);
		thread.setDaemon(true);
		thread.start();
	};

	private Async() {
	}

	public static CompletableFuture<Void> run(Runnable task) {
		return CompletableFuture.runAsync(task, THREADS);
	}

	public static <T> CompletableFuture<T> supply(Supplier<T> task) {
		return CompletableFuture.supplyAsync(task, THREADS);
	}

	/** What these threads do now. */
	public static String stacks() {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.filter((each) -> each.getKey().getName().equals(NAME))
			.map((each) -> Stream.of(each.getValue())
				.map(StackTraceElement::toString)
				.collect(Collectors.joining("\n\tat ", "\n\tat ", "")))
			.collect(Collectors.joining("\n"));
	}

	/**
	 * Waits whatever interrupts the thread, like a handler that ignores its interrupt.
	 */
	public static void awaitDeaf(CountDownLatch latch) {
		boolean over = false;
		while (!over) {
			try {
				latch.await();
				over = true;
			}
			catch (InterruptedException ex) {
				over = false;
			}
		}
	}

}
