package io.rowqueue.engine.support;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import ch.qos.logback.classic.Level;
import io.rowqueue.testing.Log;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class LoopTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	@AutoClose
	private final Log log = new Log(Outage.class);

	private final AtomicInteger turns = new AtomicInteger();

	@Test
	void aLoopContinuesWhateverATurnThrows() throws InterruptedException {
		CountDownLatch works = new CountDownLatch(3);
		Loop loop = new Loop("test", new Outage(), () -> {
			switch (this.turns.incrementAndGet()) {
				case 1 -> throw new IllegalStateException("first");
				case 2 -> throw new StackOverflowError("second");
				default -> works.countDown();
			}
		});
		loop.start();
		works.await();
		loop.stop();
		assertThat(loop.join(LONG)).isTrue();
		assertThat(this.log.lines(Level.TRACE)).hasSize(3).last().isEqualTo("test works again");
	}

	@Test
	void aLoopContinuesIfWhatATurnThrowsCannotBeReported() throws InterruptedException {
		CountDownLatch works = new CountDownLatch(1);
		Outage outage = new Outage("", () -> {
			throw new OutOfMemoryError("while it is reported");
		});
		Loop loop = new Loop("test", outage, () -> {
			if (this.turns.incrementAndGet() == 1) {
				throw new SQLException("read-only", "25006");
			}
			works.countDown();
		});
		loop.start();
		assertThat(works.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
		loop.stop();
		assertThat(loop.join(LONG)).isTrue();
	}

	@Test
	void aLoopEndsInTheMiddleOfAPause() throws InterruptedException {
		CountDownLatch turned = new CountDownLatch(1);
		Loop loop = new Loop("test", new Outage(), Duration.ofDays(1), turned::countDown);
		loop.start();
		turned.await();
		loop.stop();
		assertThat(loop.join(LONG)).isTrue();
		assertThat(loop.isStopped()).isTrue();
	}

	@Test
	void aLoopMakesNoTurnIfItWasStoppedBefore() throws InterruptedException {
		Loop loop = new Loop("test", new Outage(), this.turns::incrementAndGet);
		loop.stop();
		loop.startAndStay();
		assertThat(loop.join(LONG)).isTrue();
		assertThat(this.turns).hasValue(0);
	}

	@Test
	void aLoopDoesNotComplainOfWhatFailsBecauseItStops() throws InterruptedException {
		CountDownLatch turning = new CountDownLatch(1);
		CountDownLatch stopped = new CountDownLatch(1);
		Loop loop = new Loop("test", new Outage(), () -> {
			turning.countDown();
			stopped.await();
			throw new IllegalStateException("closed");
		});
		loop.start();
		turning.await();
		assertThat(loop.join(Duration.ZERO)).isFalse();
		loop.stop();
		stopped.countDown();
		assertThat(loop.join(LONG)).isTrue();
		assertThat(this.log.lines(Level.TRACE)).isEmpty();
	}

	@Test
	void aLoopIsWokenFromAPause() throws InterruptedException {
		Semaphore turned = new Semaphore(0);
		Loop loop = new Loop("test", new Outage(), Duration.ofDays(1), turned::release);
		loop.start();
		turned.acquire();
		loop.wake();
		assertThat(turned.tryAcquire(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
		loop.stop();
		assertThat(loop.join(LONG)).isTrue();
	}

	@Test
	void aLoopThatIsNotWokenEndsItsThreadAndIsStartedByTheNextWakeUp() throws InterruptedException {
		Set<Thread> threads = ConcurrentHashMap.newKeySet();
		Loop loop = new Loop("test", new Outage(), () -> Loop.UNTIL_WOKEN, this.turns::incrementAndGet, (run) -> {
			Thread thread = new Thread(run);
			threads.add(thread);
			return thread;
		}, Duration.ofMillis(1));
		for (int turn = 1; turn <= 3; turn++) {
			loop.wake();
			for (Thread thread : threads) {
				thread.join();
			}
			assertThat(this.turns).hasValue(turn);
			assertThat(threads).hasSize(turn);
		}
	}

	@Test
	void aLoopCanTakeItsTurnsInTheThreadOfItsOwner() throws InterruptedException {
		Set<Thread> threads = ConcurrentHashMap.newKeySet();
		AtomicReference<Loop> loop = new AtomicReference<>();
		loop.set(new Loop("test", new Outage(), () -> {
			threads.add(Thread.currentThread());
			loop.get().wake();
			if (this.turns.incrementAndGet() == 3) {
				loop.get().stop();
			}
		}));
		loop.get().run();
		assertThat(threads).containsExactly(Thread.currentThread());
	}

	/** So many pauses after failures are longer than the test waits. */
	@Test
	void aLoopRetriesAtOnceWhenAnotherThreadCanUseTheDatabaseAgain() throws InterruptedException {
		Outage outage = new Outage();
		SQLException away = new SQLException("gone", "57P03");
		CountDownLatch tries = new CountDownLatch(40);
		Loop loop = new Loop("test", outage, () -> {
			tries.countDown();
			throw away;
		});
		loop.start();
		Awaitility.await().atMost(LONG).pollInterval(Duration.ofMillis(10)).until(() -> {
			outage.report("other", away);
			outage.over("other");
			return tries.getCount() == 0;
		});
		loop.stop();
		assertThat(loop.join(LONG)).isTrue();
	}

	@Test
	void aLoopTakesTheTurnThatItWasWokenForBeforeItWasStopped() throws InterruptedException {
		CountDownLatch turning = new CountDownLatch(1);
		CountDownLatch stopped = new CountDownLatch(1);
		Loop loop = new Loop("test", new Outage(), Duration.ofDays(1), () -> {
			this.turns.incrementAndGet();
			turning.countDown();
			stopped.await();
		});
		loop.wake();
		turning.await();
		loop.wake();
		loop.stop();
		loop.wake(); // too late
		stopped.countDown();
		assertThat(loop.join(LONG)).isTrue();
		assertThat(this.turns).hasValue(2);
	}

	@Test
	void aLoopIsNotStartedTwice() throws InterruptedException {
		Loop loop = new Loop("test", new Outage(), Duration.ofDays(1), this.turns::incrementAndGet);
		loop.start();
		assertThatIllegalStateException().isThrownBy(loop::start);
		loop.stop();
		assertThat(loop.join(LONG)).isTrue();
	}

}
