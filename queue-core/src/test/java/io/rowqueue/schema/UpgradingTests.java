package io.rowqueue.schema;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import io.rowqueue.JobRequest;
import io.rowqueue.flow.Flow;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.schema.Migrations.Migration;
import io.rowqueue.testing.Engine;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The schema is upgraded while the processes of the previous version run. */
class UpgradingTests {

	/** How many jobs are enqueued and have not ended. */
	private static final int UNDER_WAY = 40;

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	/**
	 * An upgrade that adds no table does nothing else. {@link OlderLibraryTests} has what
	 * a later one may add.
	 */
	@Test
	void functionsAndViewsAreReplacedWhileJobsRun() throws Exception {
		this.engine.limits().set(LimitKind.KEY, "customer", Limit.concurrency(2), true);
		Semaphore room = new Semaphore(UNDER_WAY);
		this.engine.process()
			.withMaintenance()
			.concurrency(4)
			.handle("test", (payload, context) -> room.release())
			.startAndListen();
		Migrations core = SchemaPart.core().migrations();
		String upgrade = core.all()
			.stream()
			.filter(Migration::isRepeatable)
			.map(core::sql)
			.collect(Collectors.joining("\n", "begin; set local search_path to rowqueue;\n", "\ncommit"));
		AtomicBoolean upgraded = new AtomicBoolean();
		ExecutorService application = Executors.newSingleThreadExecutor();
		try {
			Future<Integer> enqueued = application.submit(() -> {
				int jobs = 0;
				while (!upgraded.get()) {
					room.acquire(4);
					jobs += enqueue();
				}
				return jobs;
			});
			Awaitility.await().until(() -> this.engine.finished() >= UNDER_WAY);
			this.engine.jdbc().execute(upgrade);
			long before = this.engine.finished();
			Awaitility.await().until(() -> this.engine.finished() >= before + UNDER_WAY);
			upgraded.set(true);
			int jobs = enqueued.get();
			this.engine.awaitAllOver();
			assertThat(this.engine.count("job_finished where state = 'succeeded' and attempt = 1")).isEqualTo(jobs);
		}
		finally {
			application.shutdownNow();
		}
	}

	private int enqueue() {
		this.engine.enqueue(JobRequest.of("test"));
		this.engine.enqueue(JobRequest.of("test").limitKey("customer:1"));
		this.engine.queue()
			.enqueue(Flow.named("two")
				.job("first", JobRequest.of("test"))
				.job("next", JobRequest.of("test"))
				.after("first"));
		return 4;
	}

}
