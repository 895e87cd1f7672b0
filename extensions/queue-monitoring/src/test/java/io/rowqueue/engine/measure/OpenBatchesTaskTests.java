package io.rowqueue.engine.measure;

import java.util.List;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.flow.Batch;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Batches whose producer has failed before it closed them. */
class OpenBatchesTaskTests {

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	@AutoClose
	private final Log log = new Log(OpenBatchesTask.class);

	private final MaintenanceStore maintenance = new MaintenanceStore(this.engine.queueDatabase());

	@Test
	void anOpenBatchWhoseJobsHaveFinishedIsLogged() {
		JobQueue queue = this.engine.process().start().queue();
		long forgotten = queue.enqueueBatch(Batch.named("forgotten").keepOpen(), Stream.empty());
		long closed = queue.enqueueBatch(Batch.named("closed").keepOpen(), Stream.empty());
		queue.closeBatch(closed);
		queue.enqueueBatch(Batch.named("at work").keepOpen(), Stream.of(JobRequest.of("unhandled")));
		this.maintenance.rollUpBatches(100);
		OpenBatchesTask task = new OpenBatchesTask(this.engine.queueDatabase());
		task.run();
		assertThat(this.log.lines(Level.WARN)).as("it may be closed soon").isEmpty();
		this.engine.jdbc().update("update rowqueue.batch set created_at = created_at - interval '25 hours'");
		queue.enqueueBatch(Batch.named("new").keepOpen(), Stream.empty());
		task.run();
		List<String> warnings = this.log.lines(Level.WARN);
		assertThat(warnings).singleElement()
			.asString()
			.contains(forgotten + " ('forgotten', of ", "JobQueue.closeBatch")
			.doesNotContain("'closed'", "'at work'", "'new'");
		queue.closeBatch(forgotten);
		this.maintenance.rollUpBatches(100);
		task.run();
		assertThat(this.log.lines(Level.WARN)).hasSize(1);
	}

}
