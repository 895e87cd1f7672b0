package io.pgqueue.engine.support;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import io.pgqueue.testing.Engine;
import io.pgqueue.testing.Log;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/** What a thread that is asked for turns survives. */
class BatchingThreadTests {

	@AutoClose
	private final Log log = new Log(BatchingThread.class);

	private final BlockingQueue<Set<String>> turns = new LinkedBlockingQueue<>();

	private final BlockingQueue<Thread> started = new LinkedBlockingQueue<>();

	private final AtomicInteger startsThatFail = new AtomicInteger();

	@AutoClose
	private final BatchingThread thread = new BatchingThread("test", this::turn, TestThread::new);

	@Test
	void goesOnWhateverATurnThrows() throws InterruptedException {
		for (String names : List.of("error", "error", "exception", "good", "error", "good")) {
			this.thread.ask(List.of(names));
			assertThat(nextTurn()).containsExactly(names);
		}
		assertThat(this.started).hasSize(1);
		assertThat(this.log.lines(Level.INFO)).as("once until it works again").hasSize(2);
	}

	@Test
	void isStartedByTheNextRequestIfTheFirstCouldNot() throws InterruptedException {
		this.startsThatFail.set(2);
		for (String names : List.of("first", "second")) {
			assertThatCode(() -> this.thread.ask(List.of(names))).doesNotThrowAnyException();
		}
		this.thread.ask(List.of("third"));
		assertThat(nextTurn()).containsExactly("first", "second", "third");
		assertThat(this.log.lines(Level.INFO)).singleElement().asString().startsWith("test could not be started");
	}

	@Test
	void isStartedAnewIfItHasEnded() throws InterruptedException {
		this.thread.ask(List.of("end"));
		assertThat(nextTurn()).containsExactly("end");
		this.started.take().join(Engine.PATIENCE.toMillis());
		this.thread.ask(List.of("good"));
		assertThat(nextTurn()).containsExactly("good");
	}

	private @Nullable Duration turn(Set<String> names) throws InterruptedException {
		this.turns.add(names);
		if (names.contains("error")) {
			throw new StackOverflowError("as planned");
		}
		if (names.contains("exception")) {
			throw new IllegalStateException("as planned");
		}
		if (names.contains("end")) {
			throw new InterruptedException("as planned");
		}
		return null;
	}

	private @Nullable Set<String> nextTurn() throws InterruptedException {
		return this.turns.poll(Engine.PATIENCE.toSeconds(), TimeUnit.SECONDS);
	}

	/** There may be no room for another one. */
	private final class TestThread extends Thread {

		TestThread(Runnable run) {
			super(run, "test");
		}

		@Override
		public void start() {
			if (BatchingThreadTests.this.startsThatFail.getAndDecrement() > 0) {
				throw new OutOfMemoryError("unable to create native thread");
			}
			super.start();
			BatchingThreadTests.this.started.add(this);
		}

	}

}
