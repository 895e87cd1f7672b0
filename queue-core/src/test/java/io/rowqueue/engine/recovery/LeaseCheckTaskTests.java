package io.rowqueue.engine.recovery;

import java.util.Collections;
import java.util.List;

import ch.qos.logback.classic.Level;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.recovery.RecoveryStore.RecoveredJob;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A lease that is in no row of the table claim. */
class LeaseCheckTaskTests {

	@AutoClose
	private final Engine engine = new Engine();

	@AutoClose
	private final Log log = new Log(LeaseCheckTask.class);

	private final LeaseCheckStore store = new LeaseCheckStore(this.engine.queueDatabase());

	private final RecoveryStore recovery = this.engine.recovery();

	private final long worker = this.engine.workerStore()
		.register(WorkerIdentities.of("test", List.of("*"), List.of("test")));

	@Test
	void aForgottenLeaseIsFoundAndRecoveredWhenItsWorkerIsDead() {
		long id = lease(this.engine.enqueue("test"));
		this.engine.jdbc().update("update rowqueue.worker set dead_at = clock_timestamp() where id = ?", this.worker);
		assertThat(this.recovery.recover(5, 10)).as("it is invisible").isEmpty();
		assertThat(this.engine.count("leased_jobs")).isZero();
		new LeaseCheckTask(this.store).run();
		assertThat(this.engine.count("leased_jobs")).isEqualTo(1);
		assertThat(this.recovery.recover(5, 10)).extracting(RecoveredJob::id).containsExactly(id);
		assertThat(this.log.lines(Level.WARN)).singleElement()
			.asString()
			.startsWith("Jobs [" + id + "] were leased to worker " + this.worker);
	}

	@Test
	void aForgottenLeaseIsFoundInEveryPartOfTheTable() {
		this.engine.queue().enqueueAll(Collections.nCopies(1000, JobRequest.of("test")));
		long first = lease(this.engine.number("select min(id) from rowqueue.job"));
		long last = lease(this.engine.number("select max(id) from rowqueue.job"));
		long blocks = this.store.table().blocks();
		assertThat(blocks).isGreaterThan(8);
		LeaseCheckTask task = new LeaseCheckTask(this.store, 2, 2);
		long parts = (blocks + 3) / 4;
		long found = 0;
		for (long run = 0; run < parts; run++) {
			task.look(run, blocks);
			long before = found;
			found = this.engine.count("leased_jobs");
			assertThat(found - before).as("found by run %s", run).isLessThan(2);
		}
		assertThat(this.engine.jdbc().queryForList("select id from rowqueue.leased_jobs order by id", Long.class))
			.containsExactly(first, last);
		for (long run = parts; run < 2 * parts; run++) {
			task.look(run, blocks);
		}
		assertThat(this.engine.count("claim")).as("what is known is not noted again").isEqualTo(2);
	}

	/** As if the row of its claim had been deleted. */
	private long lease(long id) {
		this.engine.jdbc()
			.update("update rowqueue.job set state = 'starting', attempt = 1, lease = 1, worker_id = ?,"
					+ " leased_at = clock_timestamp() where id = ?", this.worker, id);
		return id;
	}

}
