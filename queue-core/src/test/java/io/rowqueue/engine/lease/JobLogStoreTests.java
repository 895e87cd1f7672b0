package io.rowqueue.engine.lease;

import java.util.List;

import io.rowqueue.JobLogLine;
import io.rowqueue.engine.history.CleanupStore;
import io.rowqueue.engine.history.CleanupStore.Checked;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** The lines that handlers have logged, in the database. */
class JobLogStoreTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final JobLogStore store = database.jobs().leases().logs();

	private final long worker = database.worker();

	private final Lease lease = database.lease(this.worker, "type");

	@Test
	void aPartThatIsWrittenTwiceIsThereOnce() {
		assertThat(write(this.lease, 1, "one")).containsExactly(this.lease.jobId());
		assertThat(write(this.lease, 1, "again")).containsExactly(this.lease.jobId());
		write(this.lease, 2, "two");
		assertThat(texts()).containsExactly("one", "two");
	}

	@Test
	void linesOfALostLeaseAreRefused() {
		database.jobs().outcomes().release(this.worker, List.of(this.lease));
		assertThat(write(this.lease, 1, "released")).isEmpty();
		Lease next = database.claimOne(this.worker).lease();
		assertThat(write(this.lease, 1, "stale")).isEmpty();
		write(next, 1, "current");
		assertThat(texts()).containsExactly("current");
	}

	@Test
	void partsOfManyJobsAreWrittenAtOnceEachToItsJob() {
		Lease other = database.lease(this.worker, "type");
		this.store.write(this.worker, List.of(part(other, 1, "b"), part(this.lease, 1, "a")));
		assertThat(texts()).containsExactly("a");
		assertThat(this.store.list(other.jobId())).extracting(JobLogLine::text).containsExactly("b");
	}

	@Test
	void onlyTheLatestLeasesHaveTheirLines() {
		Lease current = this.lease;
		for (int i = 1; i <= JobLogStore.MAX_LEASES + 2; i++) {
			write(current, 1, "lease " + current.token());
			database.jobs().outcomes().release(this.worker, List.of(current));
			current = database.claimOne(this.worker).lease();
		}
		assertThat(texts()).hasSize(JobLogStore.MAX_LEASES)
			.startsWith("lease 3")
			.endsWith("lease " + (JobLogStore.MAX_LEASES + 2));
	}

	@Test
	void theLogIsDeletedWhenTheJobIsKeptNoLonger() {
		Lease gone = database.lease(this.worker, "type");
		write(this.lease, 1, "kept");
		write(gone, 1, "deleted");
		write(gone, 2, "deleted, too");
		database.jobs().succeed(this.worker, List.of(this.lease, gone));
		CleanupStore cleanup = new CleanupStore(database.queueDatabase());
		assertThat(cleanup.deleteOfJobs("job_log", 0, 1)).isEqualTo(new Checked(this.lease.jobId(), false));
		database.update("delete from {schema}.job_finished where id = ?", gone.jobId());
		assertThat(cleanup.deleteOfJobs("job_log", this.lease.jobId(), 2)).isEqualTo(new Checked(null, true));
		assertThat(texts()).containsExactly("kept");
		assertThat(this.store.list(gone.jobId())).isEmpty();
	}

	private List<Long> write(Lease lease, int number, String text) {
		return this.store.write(this.worker, List.of(part(lease, number, text)));
	}

	private static LogPart part(Lease lease, int number, String text) {
		return new LogPart(lease, number,
				"[{\"at\":\"2026-10-25T01:30:00.123456Z\",\"level\":\"INFO\",\"text\":\"" + text + "\"}]");
	}

	private List<String> texts() {
		return this.store.list(this.lease.jobId()).stream().map(JobLogLine::text).toList();
	}

}
