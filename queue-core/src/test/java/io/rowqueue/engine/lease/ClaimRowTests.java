package io.rowqueue.engine.lease;

import java.util.List;
import java.util.Map;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.ClaimStore.Claimed;
import io.rowqueue.engine.lease.LeaseStore.HeldLease;
import io.rowqueue.engine.recovery.RecoveryStore.RecoveredJob;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** A claim leaves its jobs where they are, and notes beside them which they are. */
class ClaimRowTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	private final LeaseStore leases = database.jobs().leases();

	/** Otherwise the row gets a new place, and an entry in each index. */
	@Test
	void noIndexKnowsWhatAClaimChanges() {
		assertThat(database.list("""
				select distinct a.attname::text
				from pg_index i join pg_depend d on d.objid = i.indexrelid and d.refobjid = i.indrelid
					join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
				where i.indrelid = 'rowqueue.job'::regclass""", String.class))
			.contains("queue", "indexed_state", "unique_key")
			.doesNotContain("state", "attempt", "lease", "worker_id", "leased_at");
	}

	@Test
	void aClaimedJobIsLeasedUntilItHasEnded() {
		Lease lease = database.lease(this.worker, "type");
		assertThat(this.leases.of(this.worker)).extracting(HeldLease::lease).containsExactly(lease);
		assertThat(claims()).isOne();
		database.jobs().succeed(this.worker, List.of(lease));
		assertThat(this.leases.of(this.worker)).isEmpty();
		assertThat(claims()).isZero();
	}

	@Test
	void aJobThatALimitCountsHasAClaimRow() {
		database.update("insert into {schema}.job_limit (kind, name, concurrency, source)"
				+ " values ('queue', 'default', 5, 'admin')");
		database.enqueue(JobRequest.of("type"));
		Lease lease = database.jobs().claimLimited(claim()).jobs().get(0).lease();
		assertThat(this.leases.of(this.worker)).extracting(HeldLease::lease).containsExactly(lease);
	}

	@Test
	void aClaimStaysAsLongAsOneOfItsJobsIsHeld() {
		database.enqueue(JobRequest.of("type"));
		database.enqueue(JobRequest.of("type"));
		Claimed claimed = database.jobs().claim(claim());
		assertThat(claimed.jobs()).hasSize(2).allMatch((job) -> job.claimId() == claimed.claimId());
		database.jobs().succeed(this.worker, List.of(claimed.jobs().get(0).lease()));
		assertThat(this.leases.of(this.worker)).extracting(HeldLease::lease)
			.containsExactly(claimed.jobs().get(1).lease());
		assertThat(claims()).isOne();
	}

	@Test
	void aJobThatWasClaimedAgainIsLeasedOnce() {
		Lease lease = database.lease(this.worker, "type");
		database.jobs().outcomes().release(this.worker, List.of(lease));
		Lease again = database.jobs().claim(claim()).jobs().get(0).lease();
		assertThat(this.leases.of(this.worker)).extracting(HeldLease::lease).containsExactly(again);
		assertThat(database.count("leased_jobs")).isOne();
	}

	@Test
	void theNextClaimDropsThoseThatAreSaidToBeOver() {
		long other = database.worker();
		database.enqueue(JobRequest.of("type"));
		long over = database.jobs().claim(claim()).claimId();
		database.enqueue(JobRequest.of("type"));
		long held = database.jobs().claim(claim()).claimId();
		database.lease(other, "type");
		assertThat(claims()).isEqualTo(3);
		long foreign = database.query("select id from {schema}.claim where worker_id = " + other, Long.class);
		assertThat(database.jobs().claim(claim().dropping(List.of(over, foreign))).jobs()).isEmpty();
		assertThat(database.list("select id from {schema}.claim", Long.class)).containsExactlyInAnyOrder(held, foreign);
	}

	@Test
	void noClaimHasTheNameOfAnOlderOneWhenAnOlderStateOfTheDatabaseComesBack() {
		database.enqueue(JobRequest.of("type"));
		long before = database.jobs().claim(claim()).claimId();
		database.execute("truncate {schema}.claim restart identity");
		database.enqueue(JobRequest.of("type"));
		long after = database.jobs().claim(claim()).claimId();
		assertThat(after).isNotEqualTo(before);
	}

	@Test
	void aClaimThatFindsNothingLeavesNothing() {
		assertThat(database.jobs().claim(claim())).isEqualTo(new Claimed(List.of(), false, 0));
		assertThat(claims()).isZero();
	}

	@Test
	void whatAWorkerLeavesBehindGoesWithItsJobs() {
		Lease lease = database.lease(this.worker, "type");
		database.delete(this.worker);
		assertThat(claims()).as("of a job that is held").isOne();
		assertThat(database.recovery().recover(5, 10)).extracting(RecoveredJob::id).containsExactly(lease.jobId());
		assertThat(database.recovery().recover(5, 10)).isEmpty();
		assertThat(claims()).isZero();
	}

	@Test
	void aWorkerThatSignsOffLeavesNoClaims() {
		database.jobs().succeed(this.worker, List.of(database.lease(this.worker, "type")));
		assertThat(claims()).isOne();
		database.workers().unregister(this.worker);
		assertThat(claims()).isZero();
	}

	private Claim claim() {
		return new Claim(this.worker, Map.of("pool", 10),
				List.of(new PoolLane("pool", new LaneHead(new Lane("default", "type", 0), LaneHead.NO_MARK))));
	}

	private static int claims() {
		return database.count("claim");
	}

}
