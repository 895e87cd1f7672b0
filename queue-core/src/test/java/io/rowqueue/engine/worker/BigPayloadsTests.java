package io.rowqueue.engine.worker;

import io.rowqueue.testing.Engine;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Payloads that are small one by one and too big together. */
@Tag("thorough")
class BigPayloadsTests {

	/** So many that the worker has learned to hold many. */
	private static final int SMALL_ONES = 10_000;

	private static final int JOBS = 400;

	private static final int SIZE = 1024 * 1024;

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	@Test
	void fourHundredMegabytesOfPayloadsThatWaitDoNotExhaustAHeapOf256() throws Exception {
		this.engine.jdbc().update("""
				insert into rowqueue.job (queue, type, state, run_at, order_at, payload)
				select 'default', 'test', 'queued', now(), now() + i * interval '1 microsecond',
					to_json(repeat('x', case when i <= ? then 1 else ? end))
				from generate_series(1, ?) i""", SMALL_ONES, SIZE, SMALL_ONES + JOBS);
		Process process = SmallHeapWorker.start(this.engine, "256m", SIZE);
		try {
			Awaitility.await()
				.atMost(Engine.PATIENCE.multipliedBy(4))
				.until(() -> !process.isAlive() || this.engine.jobs() == 0);
			assertThat(process.isAlive()).isTrue();
			assertThat(this.engine.count("job_finished where state = 'succeeded'")).isEqualTo(SMALL_ONES + JOBS);
		}
		finally {
			process.destroyForcibly().waitFor();
		}
	}

}
