package io.rowqueue.engine.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.rowqueue.EnqueueResult;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.operation.BulkOperation;
import io.rowqueue.admin.operation.JobChange;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.admin.operation.RecordedOperation;
import io.rowqueue.control.EraseResult;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.LogPart;
import io.rowqueue.engine.operation.BulkStore;
import io.rowqueue.engine.operation.BulkTask;
import io.rowqueue.engine.operation.DefaultOperations;
import io.rowqueue.engine.operation.OperationStore;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** What is left of a job that was erased: nothing that it brought along. */
class EraseTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	/** In each text that a job brings along. */
	private static final String SECRET = "s3cret";

	private final DefaultJobAdmin admin = new DefaultJobAdmin(database.queueDatabase(), database.jobs().wakeUps());

	private final long worker = database.worker();

	@Test
	void aFailedJobLeavesNothing() {
		Lease lease = lease();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "Error: " + SECRET, null, 7L)));
		database.execute("insert into {schema}.error_group (id, type, first_at, last_at, last_job, failures, sample)"
				+ " values (7, 'type', now(), now(), 1, 1, 'Error: " + SECRET + "')");
		assertThat(traces()).isNotEmpty();
		assertThat(this.admin.erase(lease.jobId())).isEqualTo(EraseResult.ERASED);
		assertThat(traces()).as("the job of its failure is another one").containsExactly("job");
		assertThat(this.admin.erase(database.query("select id from {schema}.job", Long.class)))
			.isEqualTo(EraseResult.ERASED);
		assertThat(traces()).isEmpty();
		assertThat(this.admin.erase(lease.jobId())).isEqualTo(EraseResult.NOT_FOUND);
	}

	@Test
	void aFinishedJobLeavesNothing() {
		Lease lease = lease();
		database.jobs().succeed(this.worker, Map.of(lease, "\"" + SECRET + "\""));
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.SUCCEEDED);
		assertThat(this.admin.erase(lease.jobId())).isEqualTo(EraseResult.ERASED);
		assertThat(traces()).isEmpty();
	}

	/** Its id is known from a record of the application, for example. */
	@Test
	void aJobWhoseHistoryWasDeletedLeavesNoKey() {
		enqueue(request().uniqueFor(Duration.ofDays(30)));
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().succeed(this.worker, List.of(lease));
		database.execute("delete from {schema}.job_finished");
		assertThat(traces()).contains("taken_key");
		assertThat(this.admin.erase(lease.jobId())).isEqualTo(EraseResult.ERASED);
		assertThat(traces()).isEmpty();
		assertThat(this.admin.erase(lease.jobId())).isEqualTo(EraseResult.NOT_FOUND);
	}

	@Test
	void aWaitingJobIsCancelledFirst() {
		long id = enqueue(request().delay(Duration.ofDays(1)));
		long successor = database.enqueue(JobRequest.of("type").after(id));
		database.maintenance().settleDependencies(10);
		assertThat(this.admin.erase(id)).isEqualTo(EraseResult.ERASED);
		assertThat(traces()).isEmpty();
		assertThat(database.state(successor)).isEqualTo(JobState.FAILED);
	}

	@Test
	void aRunningJobIsAskedToStop() {
		Lease lease = lease();
		assertThat(this.admin.erase(lease.jobId())).isEqualTo(EraseResult.REQUESTED);
		assertThat(
				database.query("select cancel_requested from {schema}.job where id = ?", Boolean.class, lease.jobId()))
			.isTrue();
		database.jobs().cancel(this.worker, List.of(lease));
		assertThat(this.admin.erase(lease.jobId())).isEqualTo(EraseResult.ERASED);
		assertThat(traces()).isEmpty();
	}

	@Test
	void allJobsOfATagAreErased() {
		long finished = lease().jobId();
		database.jobs().succeed(this.worker, List.of(new Lease(finished, 1)));
		enqueue(request().uniqueKey("other " + SECRET));
		long kept = database.enqueue(JobRequest.of("type").tags("customer:1"));
		Operations operations = new DefaultOperations(new OperationStore(database.queueDatabase()),
				new BulkStore(database.queueDatabase()));
		long operation = operations.start(BulkOperation.of(JobChange.erase(),
				JobFilter.builder().tag("customer:" + SECRET).build(), "ada", "code"));
		BulkTask task = new BulkTask(new BulkStore(database.queueDatabase()),
				new JobSearchStore(database.queueDatabase()),
				new DefaultJobChanges(database.queueDatabase(), database.jobs().wakeUps()));
		do {
			task.run();
		}
		while (task.isUnfinished());
		RecordedOperation done = operations.find(operation).orElseThrow();
		assertThat(done.jobs()).isEqualTo(2);
		assertThat(traces()).isEmpty();
		assertThat(database.state(kept)).isEqualTo(JobState.QUEUED);
	}

	private static JobRequest request() {
		return JobRequest.of("type")
			.tags("customer:" + SECRET)
			.header("mail", SECRET)
			.uniqueKey(SECRET)
			.uniqueFromEnqueue(JobRequest.FOREVER)
			.onFailure(JobRequest.of("type"));
	}

	private static long enqueue(JobRequest request) {
		NewJob consequence = NewJobs.of(JobRequest.of("type"), "{\"a\": \"" + SECRET + "\"}");
		EnqueueResult result = database.jobs()
			.enqueue(List.of(new NewJob(request, "{\"a\": \"" + SECRET + "\"}", null, "{\"tags\": \"" + SECRET + "\"}",
					consequence)))
			.get(0);
		return result.id();
	}

	/** A job with all that a handler can add. */
	private Lease lease() {
		enqueue(request());
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().steps().record(this.worker, lease, SECRET, "\"" + SECRET + "\"");
		database.update("insert into {schema}.job_progress (job_id, lease, revision, done, total, message, at)"
				+ " values (?, 1, 1, 1, 1, ?, now())", lease.jobId(), SECRET);
		database.update("insert into {schema}.job_signal (job_id, name, payload) values (?, ?, to_json(?::text))",
				lease.jobId(), "approval " + SECRET, SECRET);
		database.update("insert into {schema}.job_wait (job_id, kind, name, lease, began_at, until)"
				+ " values (?, 'signal', ?, 1, now(), now())", lease.jobId(), "approval " + SECRET);
		database.update(
				"insert into {schema}.operation (who, via, action, kind, name, parameters)"
						+ " values ('ada', 'dashboard', 'retry', 'jobs', ?, jsonb_build_object('step', ?::text))",
				String.valueOf(lease.jobId()), SECRET);
		database.jobs().leases().logs().write(this.worker, List.of(new LogPart(lease, 1, "[\"" + SECRET + "\"]")));
		return lease;
	}

	/** The tables that have a row with the secret. */
	private static List<String> traces() {
		List<String> found = new ArrayList<>();
		for (String table : database
			.list("select c.relname from pg_class c where c.relnamespace = 'rowqueue'::regnamespace"
					+ " and c.relkind in ('r', 'p') and not c.relispartition", String.class)) {
			int rows = database.query(
					"select count(*) from {schema}." + table + " t where t::text like '%" + SECRET + "%'",
					Integer.class);
			if (rows > 0) {
				found.add(table);
			}
		}
		return found;
	}

}
