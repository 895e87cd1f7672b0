package io.rowqueue.engine.lease;

import java.time.Duration;
import java.util.List;

import io.rowqueue.JobProgress;
import io.rowqueue.engine.history.CleanupStore;
import io.rowqueue.engine.history.CleanupStore.Checked;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Which reports of a job's progress count. */
class ProgressStoreTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	private final Lease lease = database.lease(this.worker, "type");

	@Test
	void aLaterReportIsNotReplacedByAnEarlierOne() {
		report(this.worker, this.lease, 2);
		report(this.worker, this.lease, 1);
		assertThat(progress().done()).isEqualTo(2);
	}

	@Test
	void aReportOfALaterLeaseReplacesAnEarlierOne() {
		report(this.worker, this.lease, 7);
		database.jobs().outcomes().release(this.worker, List.of(this.lease));
		report(this.worker, database.claimOne(this.worker).lease(), 1);
		assertThat(progress().done()).isEqualTo(1);
	}

	@Test
	void aReportOfAnEarlierLeaseIsRefused() {
		database.jobs().outcomes().release(this.worker, List.of(this.lease));
		database.claimOne(this.worker);
		report(this.worker, this.lease, 1);
		assertThat(database.find(this.lease.jobId()).progress()).isNull();
	}

	@Test
	void aReportThatLostItsLeaseAMomentAgoIsRefused() {
		database.update("insert into {schema}.job_progress values (?, ?, 1, 5, 0, null, now())", this.lease.jobId(),
				this.lease.token() + 1);
		report(this.worker, this.lease, 9);
		assertThat(progress().done()).isEqualTo(5);
	}

	@Test
	void aReportOfAnotherWorkerIsRefused() {
		report(database.worker(), this.lease, 1);
		assertThat(database.find(this.lease.jobId()).progress()).isNull();
	}

	@Test
	void manyAreWrittenAtOnceEachToItsJob() {
		Lease other = database.lease(this.worker, "type");
		database.jobs()
			.leases()
			.progress(this.worker,
					List.of(new ProgressReport(other, 1, 3, 4, "b"), new ProgressReport(this.lease, 1, 1, 2, null)));
		assertThat(progress()).usingRecursiveComparison()
			.ignoringFields("at")
			.isEqualTo(new JobProgress(1, 2, null, database.now()));
		assertThat(database.find(other.jobId()).progress()).usingRecursiveComparison()
			.ignoringFields("at")
			.isEqualTo(new JobProgress(3, 4, "b", database.now()));
	}

	@Test
	void theProgressIsDeletedWhenTheJobIsKeptNoLonger() {
		Lease other = database.lease(this.worker, "type");
		report(this.worker, this.lease, 1);
		report(this.worker, other, 1);
		CleanupStore cleanup = new CleanupStore(database.queueDatabase());
		database.jobs().succeed(this.worker, List.of(this.lease, other));
		assertThat(cleanup.deleteOfJobs("job_progress", 0, 2)).isEqualTo(new Checked(other.jobId(), false));
		database.update("delete from {schema}.job_finished where id = ?", other.jobId());
		assertThat(cleanup.deleteOfJobs("job_progress", 0, 1)).isEqualTo(new Checked(this.lease.jobId(), false));
		assertThat(cleanup.deleteOfJobs("job_progress", this.lease.jobId(), 2)).isEqualTo(new Checked(null, true));
		assertThat(progress()).isNotNull();
		assertThat(database.count("job_progress")).isOne();
	}

	private void report(long worker, Lease lease, int revision) {
		database.jobs().leases().progress(worker, List.of(new ProgressReport(lease, revision, revision, 0, null)));
	}

	private JobProgress progress() {
		return database.find(this.lease.jobId()).progress();
	}

}
