package io.rowqueue.autoconfigure.worker;

import java.util.Set;
import java.util.function.Supplier;

import io.rowqueue.PayloadCodec;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.lease.JobLogStore;
import io.rowqueue.engine.search.JobDetailsStatement;
import io.rowqueue.engine.worker.WorkerParts;
import io.rowqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * The queue as the calling thread sees it: all of it goes over the connection of the
 * thread's transaction, if it is in one. The test starter is built on it; no application
 * has this bean except in tests that import it.
 *
 * @param jdbc runs statements
 * @param schema the schema of the tables
 * @param store reads jobs
 * @param details reads all that is known of a job
 * @param logs reads what handlers have logged
 * @param codec reads and writes payloads
 * @param types the types that have handlers; called when the application is ready
 * @param worker what runs jobs; called when the application is ready
 * @since 0.1.0
 */
public record InlineQueue(JdbcOperations jdbc, SchemaName schema, JobStore store, JobDetailsStatement details,
		JobLogStore logs, PayloadCodec codec, Supplier<Set<String>> types, Supplier<WorkerParts> worker) {

}
