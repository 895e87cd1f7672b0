package io.rowqueue.engine.attempt;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import io.rowqueue.HandlerOptions;
import io.rowqueue.Job;
import io.rowqueue.JobHandlers.ReturningHandler;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What handlers return. */
class ResultTests {

	/** In JSON with quotes it is just allowed. */
	private static final int MAX_CHARACTERS = 1024 * 1024 - 2;

	@AutoClose
	private final Engine engine = new Engine();

	@Test
	void aResultIsKeptAsJsonWithTheJob() {
		handle((payload, context) -> Map.of("rows", 3));
		assertThat(succeeded().result()).isEqualTo("{\"rows\":3}");
	}

	@Test
	void nullIsNoResult() {
		handle((payload, context) -> null);
		assertThat(succeeded().result()).isNull();
	}

	@Test
	void aFailedAttemptHasNoResult() {
		handle((payload, context) -> {
			if (context.leaseToken() == 1) {
				throw new IllegalStateException("as planned");
			}
			return context.attempt();
		});
		long id = this.engine.enqueue("test");
		assertThat(this.engine.awaitState(id, JobState.SUCCEEDED).result()).isEqualTo("2");
	}

	@Test
	void aResultThatIsNotJsonFailsTheJobPermanently() {
		handle((payload, context) -> new Object() {

			@SuppressWarnings("unused")
			public Object getBroken() {
				throw new IllegalStateException("as planned");
			}

		});
		Job job = this.engine.awaitState(this.engine.enqueue("test"), JobState.FAILED);
		assertThat(job.attempt()).isOne();
		assertThat(job.lastError()).contains("The result of a job of type 'test'", "cannot be written as JSON");
	}

	@Test
	void aResultThatIsTooBigFailsTheJobPermanently() {
		handle((payload, context) -> "x".repeat(MAX_CHARACTERS + 1));
		Job job = this.engine.awaitState(this.engine.enqueue("test"), JobState.FAILED);
		assertThat(job.attempt()).isOne();
		assertThat(job.lastError()).contains("it has 1048577 bytes of JSON, but at most 1048576 are allowed");
	}

	@Test
	void aResultThatIsTooBigInBytesAloneFailsTheJob() {
		handle((payload, context) -> "\u20ac".repeat(MAX_CHARACTERS / 2));
		assertThat(this.engine.awaitState(this.engine.enqueue("test"), JobState.FAILED).lastError())
			.contains("cannot be kept");
	}

	@Test
	void manyBigOnesAreKept() {
		handle((payload, context) -> "x".repeat(MAX_CHARACTERS));
		List<Long> ids = IntStream.range(0, 20).mapToObj((i) -> this.engine.enqueue("test")).toList();
		this.engine.awaitAllOver();
		assertThat(ids).allSatisfy((id) -> assertThat(this.engine.job(id).result()).hasSize(MAX_CHARACTERS + 2));
	}

	@Test
	void jobsWithAndWithoutResultsEndTogether() {
		this.engine.process()
			.register((handlers) -> handlers.addReturning("test", Integer.class, HandlerOptions.NONE,
					(payload, context) -> (payload != null && payload % 2 == 0) ? payload : null))
			.start();
		List<Long> ids = IntStream.range(0, 200)
			.mapToObj((i) -> this.engine.enqueue(JobRequest.of("test", i)))
			.toList();
		this.engine.awaitAllOver();
		for (int i = 0; i < ids.size(); i++) {
			assertThat(this.engine.job(ids.get(i)).result()).isEqualTo((i % 2 == 0) ? Integer.toString(i) : null);
		}
	}

	@Test
	void aResultOfATransactionalHandlerIsKept() {
		this.engine.process()
			.register((handlers) -> handlers.addReturning("test", String.class, HandlerOptions.NONE.transactional(true),
					(payload, context) -> "done"))
			.start();
		assertThat(succeeded().result()).isEqualTo("\"done\"");
	}

	@Test
	void aResultOfAStaleWorkerIsRejected() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch second = new CountDownLatch(1);
		handle((payload, context) -> {
			if (context.leaseToken() == 1) {
				running.countDown();
				Async.awaitDeaf(second);
				return "stale";
			}
			second.countDown();
			return "current";
		});
		long id = this.engine.enqueue("test");
		running.await();
		this.engine.recoverUntil(() -> second.getCount() == 0);
		assertThat(this.engine.awaitState(id, JobState.SUCCEEDED).result()).isEqualTo("\"current\"");
	}

	private void handle(ReturningHandler<String> handler) {
		this.engine.process()
			.register((handlers) -> handlers.addReturning("test", String.class, HandlerOptions.NONE, handler))
			.start();
	}

	private Job succeeded() {
		return this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
	}

}
