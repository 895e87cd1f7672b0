package io.rowqueue.testing;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

	/**
	 * Waits for tasks to end.
	 * @param who what they do, for the error that says where they stand if they have not
	 * ended when the limit is over
	 */
	public static void await(Stream<CompletableFuture<Void>> tasks, Duration limit, String who)
			throws ExecutionException, InterruptedException {
		try {
			CompletableFuture.allOf(tasks.toArray(CompletableFuture[]::new)).get(limit.toSeconds(), TimeUnit.SECONDS);
		}
		catch (TimeoutException ex) {
			throw new IllegalStateException(who + " have not ended for " + limit + ": " + stacks(), ex);
		}
	}

	/** What these threads do now. */
	private static String stacks() {
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
