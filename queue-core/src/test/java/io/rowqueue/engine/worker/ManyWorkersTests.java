package io.rowqueue.engine.worker;

import java.util.ArrayList;
import java.util.List;

import io.rowqueue.JobRequest;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ManyWorkersTests {

	private static final int JOBS = 6000;

	@AutoClose
	private final Engine engine = new Engine();

	@Test
	void manyWorkersRunEveryJobExactlyOnce() {
		this.engine.jdbc().execute("create table if not exists ledger (job_id bigint)");
		this.engine.jdbc().execute("truncate ledger");
		for (int i = 0; i < 3; i++) {
			this.engine.process()
				.concurrency(3)
				.concurrency("own slots", 2)
				.withMaintenance()
				.handle("test",
						(payload, context) -> this.engine.jdbc().update("insert into ledger values (?)", context.id()))
				.handle("quick", (payload, context) -> {
				})
				.start();
		}
		List<JobRequest> requests = new ArrayList<>();
		for (int i = 0; i < JOBS; i++) {
			requests.add(JobRequest.of((i % 20 == 0) ? "test" : "quick")
				.queue((i % 3 == 0) ? "own slots" : "queue " + i % 7)
				.priority(i % 5));
			if (requests.size() == 500) {
				this.engine.queue().enqueueAll(requests);
				requests.clear();
			}
		}
		this.engine.awaitAllOver();
		assertThat(this.engine.number("select count(*) from ledger")).isEqualTo(JOBS / 20);
		assertThat(this.engine.number("select count(distinct job_id) from ledger")).isEqualTo(JOBS / 20);
		assertThat(this.engine.count("job_finished where attempt = 1")).isEqualTo(JOBS);
		assertThat(this.engine.jobs()).isZero();
		assertThat(this.engine.count("job_failure")).isZero();
	}

}
