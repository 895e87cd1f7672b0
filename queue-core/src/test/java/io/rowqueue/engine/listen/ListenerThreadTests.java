package io.rowqueue.engine.listen;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;

import ch.qos.logback.classic.Level;
import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.JobRequest;
import io.rowqueue.listen.JobListener;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ListenerThreadTests {

	private final CountDownLatch goOn = new CountDownLatch(1);

	private final List<Long> events = new CopyOnWriteArrayList<>();

	private final JobListener blocking = new JobListener() {
		@Override
		public void enqueued(JobRequest request, EnqueueResult result) {
			awaitGoOn();
			ListenerThreadTests.this.events.add(result.id());
			if (result.id() == 2) {
				throw new AssertionError("2");
			}
		}
	};

	@Test
	void aListenerThatBlocksOrFailsDelaysNoCallerAndIsNotifiedInOrder() throws InterruptedException {
		ListenerThread thread = new ListenerThread(this.blocking);
		LongStream.rangeClosed(1, 100).forEach((id) -> tell(thread, id));
		assertThat(this.events).isEmpty();
		this.goOn.countDown();
		thread.close(Engine.PATIENCE);
		assertThat(this.events).containsExactlyElementsOf(LongStream.rangeClosed(1, 100).boxed().toList());
	}

	@Test
	void whatAListenerCannotKeepUpWithIsDroppedAndLoggedOnceUntilItHasCaughtUp() throws InterruptedException {
		ListenerThread thread = new ListenerThread(this.blocking, 3);
		try (Log log = new Log(ListenerThread.class)) {
			LongStream.rangeClosed(1, 100).forEach((id) -> tell(thread, id));
			assertThat(log.lines(Level.ERROR)).singleElement().asString().contains("too slow: 3 notifications");
			this.goOn.countDown();
			await().until(() -> this.events.size() == 4);
			tell(thread, 101);
			thread.close(Engine.PATIENCE);
			assertThat(this.events).containsExactly(1L, 2L, 3L, 4L, 101L);
		}
	}

	@Test
	void theEndWaitsForAListenerOnlyForAWhile() throws InterruptedException {
		ListenerThread thread = new ListenerThread(this.blocking);
		tell(thread, 1);
		try (Log log = new Log(ListenerThread.class)) {
			thread.close(Duration.ofMillis(1));
			assertThat(log.lines(Level.WARN)).singleElement().asString().contains("too slow");
		}
		this.goOn.countDown();
	}

	private static void tell(ListenerThread thread, long id) {
		thread.enqueued(JobRequest.of("type"), new EnqueueResult(id, Outcome.CREATED));
	}

	private void awaitGoOn() {
		try {
			this.goOn.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
