package io.pgqueue.testing;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.pgqueue.EnqueueResult;
import io.pgqueue.FlowResult;
import io.pgqueue.Job;
import io.pgqueue.admin.DefaultJobAdmin;
import io.pgqueue.admin.JobAdmin;
import io.pgqueue.enqueue.EnqueueDatabase;
import io.pgqueue.enqueue.EnqueueHooks;
import io.pgqueue.enqueue.TransactionalJobQueue;
import io.pgqueue.schema.SchemaName;
import io.pgqueue.store.AdminStore;
import io.pgqueue.store.BatchStore;
import io.pgqueue.store.Claim;
import io.pgqueue.store.ClaimStore.Claimed;
import io.pgqueue.store.ClaimStore.LimitedClaim;
import io.pgqueue.store.JobCount;
import io.pgqueue.store.JobStore;
import io.pgqueue.store.JobStore.StepResult;
import io.pgqueue.store.KeptJobs;
import io.pgqueue.store.Lease;
import io.pgqueue.store.LeaseStore;
import io.pgqueue.store.LimitStore;
import io.pgqueue.store.NewJob;
import io.pgqueue.store.NewStep;
import io.pgqueue.store.OutcomeStore;
import io.pgqueue.store.QueueDatabase;
import io.pgqueue.store.StepStore;
import io.pgqueue.store.StoreListener;
import io.pgqueue.store.SuccessStore;
import io.pgqueue.store.Sweep;
import io.pgqueue.store.WakeUpStore;
import io.pgqueue.store.WindowStore;
import io.pgqueue.wakeup.JobEndings;
import io.pgqueue.wakeup.WakeUps;
import io.pgqueue.worker.WorkerStores;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/** All stores of a database, for tests that follow a job from one to the other. */
public final class Stores {

	private final QueueDatabase worker;

	private final EnqueueDatabase enqueue;

	private final WorkerStores stores;

	private final StoreListener listener;

	/** Of tests that need no transactions, in the default schema. */
	public Stores(JdbcOperations jdbc) {
		this(jdbc, jdbc, SchemaName.DEFAULT, true);
	}

	public Stores(JdbcOperations application, JdbcOperations worker, SchemaName schema, boolean keepHistory) {
		this(application, worker, schema, keepHistory ? KeptJobs.ALL : KeptJobs.NONE, StoreListener.NONE);
	}

	public Stores(JdbcOperations application, JdbcOperations worker, SchemaName schema, KeptJobs kept,
			StoreListener listener) {
		QueueDatabase queue = new QueueDatabase(application, schema);
		this.worker = new QueueDatabase(worker, schema);
		this.enqueue = new EnqueueDatabase(queue, this.worker, kept);
		this.stores = new WorkerStores(queue, this.worker, kept, listener);
		this.listener = listener;
	}

	/** What a queue has of the database. */
	public EnqueueDatabase enqueueDatabase() {
		return this.enqueue;
	}

	/** What a worker has of the database. */
	public WorkerStores workerStores() {
		return this.stores;
	}

	/** New wake-ups that notify other processes. */
	public WakeUps wakeUps() {
		return new WakeUps(new WakeUpStore(this.worker, this.listener), limits());
	}

	/** A queue for payloads of up to a megabyte that nobody else takes part in. */
	public TransactionalJobQueue queue(DataSource application, WakeUps wakeUps) {
		return queue(application, wakeUps, new JobEndings());
	}

	public TransactionalJobQueue queue(DataSource application, WakeUps wakeUps, JobEndings endings) {
		return new TransactionalJobQueue(this.enqueue, application, Engine.CODEC,
				TransactionalJobQueue.DEFAULT_MAX_PAYLOAD_SIZE, wakeUps, endings, EnqueueHooks.NONE);
	}

	public JobAdmin admin(AdminStore store, WakeUps wakeUps) {
		return new DefaultJobAdmin(store, jobs(), steps(), wakeUps);
	}

	public JobStore jobs() {
		return this.enqueue.stored();
	}

	public BatchStore batches() {
		return this.enqueue.batches();
	}

	public WindowStore windows() {
		return this.enqueue.windows();
	}

	public StepStore steps() {
		return this.stores.runs().steps();
	}

	public LeaseStore leases() {
		return this.stores.leases().leases();
	}

	public OutcomeStore outcomes() {
		return this.stores.leases().outcomes();
	}

	public SuccessStore successes() {
		return this.stores.leases().successes();
	}

	public LimitStore limits() {
		return new LimitStore(this.worker);
	}

	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		return this.enqueue.jobs().enqueue(jobs);
	}

	public FlowResult enqueue(String flow, List<NewStep> steps) {
		return this.enqueue.jobs().enqueue(flow, steps);
	}

	public void wakeUp(Collection<String> queues) {
		new WakeUpStore(this.worker, this.listener).wakeUp(queues);
	}

	public Sweep sweep() {
		return sweep(Duration.ZERO);
	}

	public Sweep sweep(Duration aging) {
		return this.stores.claims().lanes().sweep(aging);
	}

	public Claimed claim(Claim claim) {
		return this.stores.claims().claims().claim(claim);
	}

	public LimitedClaim claimLimited(Claim claim) {
		return this.stores.claims().claims().claimLimited(claim);
	}

	public List<Long> succeed(long workerId, Collection<Lease> leases) {
		return successes().succeed(workerId, leases, (queue) -> {
		});
	}

	public List<Long> succeed(long workerId, Map<Lease, String> results) {
		return successes().succeed(workerId, results, (queue) -> {
		});
	}

	public boolean succeedInTransaction(long workerId, Lease lease, @Nullable String result) {
		return this.stores.runs().successesInTransaction().succeed(workerId, lease, result, (queue) -> {
		});
	}

	public Optional<Job> find(long id) {
		return jobs().find(id);
	}

	public StepResult resultOfStep(long jobId, String step) {
		return jobs().resultOfStep(jobId, step);
	}

	public List<JobCount> count() {
		return jobs().count();
	}

}
