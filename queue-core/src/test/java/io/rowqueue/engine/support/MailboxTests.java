package io.rowqueue.engine.support;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class MailboxTests {

	@AutoClose
	private final Log log = new Log(Outage.class);

	private final BlockingQueue<Set<String>> turns = new LinkedBlockingQueue<>();

	private final BlockingQueue<Thread> started = new LinkedBlockingQueue<>();

	private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();

	private final AtomicInteger startsThatFail = new AtomicInteger();

	private final CountDownLatch handled = new CountDownLatch(1);

	@AutoClose
	private final Mailbox mailbox = new Mailbox("test", this::handle, TestThread::new);

	@Test
	void aMailboxStartsWithTheFirstName() throws InterruptedException {
		assertThat(this.started).isEmpty();
		this.mailbox.put(List.of("a"));
		assertThat(nextTurn()).containsExactly("a");
		this.mailbox.put(List.of());
		assertThat(nextTurn()).as("a turn without names").isEmpty();
		assertThat(this.started).hasSize(1);
	}

	@Test
	void aMailboxHandlesWhatArrivesMeanwhileTogether() throws InterruptedException {
		this.mailbox.put(List.of("slow"));
		assertThat(nextTurn()).containsExactly("slow");
		this.mailbox.put(List.of("a"));
		this.mailbox.put(List.of("b", "a"));
		this.handled.countDown();
		assertThat(nextTurn()).containsExactly("a", "b");
	}

	@Test
	void aMailboxTakesAnotherTurnWhenTheHandlerSaysSo() throws InterruptedException {
		this.mailbox.put(List.of("again"));
		assertThat(nextTurn()).containsExactly("again");
		assertThat(nextTurn()).isEmpty();
	}

	@Test
	void aMailboxHandlesNamesAgainWhateverATurnThrows() throws InterruptedException {
		this.failures
			.addAll(List.of(new StackOverflowError("1"), new StackOverflowError("1"), new IllegalStateException("2")));
		this.mailbox.put(List.of("a"));
		for (int i = 0; i < 4; i++) {
			assertThat(nextTurn()).containsExactly("a");
		}
		this.mailbox.put(List.of("b"));
		assertThat(nextTurn()).containsExactly("b");
		assertThat(this.started).hasSize(1);
		assertThat(this.log.lines(Level.INFO)).as("each reason once, and the end")
			.hasSize(3)
			.last()
			.isEqualTo("test works again");
	}

	@Test
	void aMailboxIsStartedByTheNextNameIfTheFirstCouldNot() throws InterruptedException {
		this.startsThatFail.set(2);
		for (String name : List.of("first", "second")) {
			assertThatCode(() -> this.mailbox.put(List.of(name))).doesNotThrowAnyException();
		}
		this.mailbox.put(List.of("third"));
		assertThat(nextTurn()).containsExactly("first", "second", "third");
		assertThat(this.log.lines(Level.ERROR)).singleElement().asString().startsWith("test failed");
	}

	@Test
	void aMailboxIsStartedAnewIfAnInterruptHasEndedIt() throws InterruptedException {
		this.failures.add(new InterruptedException("as planned"));
		this.mailbox.put(List.of("first"));
		assertThat(nextTurn()).containsExactly("first");
		this.started.take().join(Engine.PATIENCE.toMillis());
		this.mailbox.put(List.of("second"));
		assertThat(nextTurn()).containsExactlyInAnyOrder("first", "second");
	}

	@Test
	void aMailboxHandlesWhatIsWaitingWhenItIsClosed() throws InterruptedException {
		this.mailbox.put(List.of("slow"));
		assertThat(nextTurn()).containsExactly("slow");
		this.mailbox.put(List.of("a"));
		Thread thread = this.started.take();
		Thread.currentThread().interrupt(); // closing does not wait then
		this.mailbox.close();
		assertThat(Thread.interrupted()).isTrue();
		this.mailbox.put(List.of("too late"));
		this.handled.countDown();
		assertThat(nextTurn()).containsExactly("a");
		thread.join(Engine.PATIENCE.toMillis());
		assertThat(thread.isAlive()).isFalse();
		assertThat(this.turns).isEmpty();
	}

	private @Nullable Duration handle(Set<String> names) throws InterruptedException {
		this.turns.add(names);
		Throwable failure = this.failures.poll();
		if (failure instanceof InterruptedException interrupt) {
			throw interrupt;
		}
		if (failure instanceof Error error) {
			throw error;
		}
		if (failure != null) {
			throw (RuntimeException) failure;
		}
		if (names.contains("slow")) {
			this.handled.await();
		}
		return names.contains("again") ? Duration.ofMillis(1) : null;
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
			if (MailboxTests.this.startsThatFail.getAndDecrement() > 0) {
				throw new OutOfMemoryError("unable to create native thread");
			}
			MailboxTests.this.started.add(this);
			super.start();
		}

	}

}
