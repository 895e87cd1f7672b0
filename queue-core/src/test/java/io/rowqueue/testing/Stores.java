package io.rowqueue.testing;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.Function;

import javax.sql.DataSource;

import io.rowqueue.EnqueueResult;
import io.rowqueue.Job;
import io.rowqueue.RetryPolicy;
import io.rowqueue.control.JobControl;
import io.rowqueue.engine.attempt.WorkerHooks;
import io.rowqueue.engine.control.ChangeScope;
import io.rowqueue.engine.control.ControlStore;
import io.rowqueue.engine.control.DefaultJobControl;
import io.rowqueue.engine.control.FailedJobStore;
import io.rowqueue.engine.control.PayloadChange;
import io.rowqueue.engine.database.JobTransactions;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.database.TransactionCheck;
import io.rowqueue.engine.enqueue.CallerTransaction;
import io.rowqueue.engine.enqueue.Carriage;
import io.rowqueue.engine.enqueue.DeclaredTypes;
import io.rowqueue.engine.enqueue.EnqueueHooks;
import io.rowqueue.engine.enqueue.PayloadWriter;
import io.rowqueue.engine.enqueue.TransactionalJobQueue;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.job.BatchStore;
import io.rowqueue.engine.job.EnqueueStore;
import io.rowqueue.engine.job.EnqueueStore.StoredFlow;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.job.JobStore.FlowJobResult;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.job.NewFlowJob;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.ClaimStore;
import io.rowqueue.engine.lease.ClaimStore.Claimed;
import io.rowqueue.engine.lease.ClaimStore.LimitedClaim;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.lease.LaneStore;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.LeaseStore;
import io.rowqueue.engine.lease.OutcomeStore;
import io.rowqueue.engine.lease.SuccessStore;
import io.rowqueue.engine.lease.Sweep;
import io.rowqueue.engine.limit.AdmissionStore;
import io.rowqueue.engine.limit.HoldStore;
import io.rowqueue.engine.limit.LimitStore;
import io.rowqueue.engine.limit.WeightStore;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.signal.WaitStore;
import io.rowqueue.engine.step.StepStore;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUpStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.worker.ListenerSettings;
import io.rowqueue.engine.worker.WorkerPart;
import io.rowqueue.engine.worker.WorkerParts;
import io.rowqueue.engine.worker.WorkerSettings;
import io.rowqueue.flow.Flow.Adder;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.listen.JobListener;
import io.rowqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcAccessor;

/** All stores of a database, for tests that follow a job from one to the other. */
public final class Stores {

	private final QueueDatabases databases;

	private final QueueDatabase worker;

	private final EnqueueStore enqueue;

	private final KeptJobs kept;

	private final JoinedTransaction caller;

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
		this.worker = new QueueDatabase(worker, schema);
		this.databases = new QueueDatabases(new QueueDatabase(application, schema), this.worker);
		this.kept = kept;
		this.caller = new JoinedTransaction(dataSource(application));
		this.enqueue = new EnqueueStore(this.databases.application(), kept);
		this.listener = listener;
	}

	/** A template that a test has replaced takes part in no transaction. */
	private static DataSource dataSource(JdbcOperations application) {
		DataSource known = (application instanceof JdbcAccessor accessor) ? accessor.getDataSource() : null;
		return (known != null) ? known : new DelegatingDataSource();
	}

	/** What a worker without hooks is made of. */
	public WorkerParts workerParts(DataSource dataSource, HandlerRegistry handlers,
			@Nullable JobTransactions transactions, WorkerSettings settings) {
		return new WorkerParts(this.databases, this.caller, this.kept, dataSource, ListenerSettings.DEFAULT, wakeUps(),
				new JobEndings(), handlers, RetryPolicy.DEFAULT, transactions, Executors.defaultThreadFactory(),
				settings, WorkerHooks.NONE, Set.of(), DirectStart.NONE, WorkerPart.Factory.NONE);
	}

	public QueueDatabases databases() {
		return this.databases;
	}

	/** The transaction of the application that a thread is in. */
	public JoinedTransaction caller() {
		return this.caller;
	}

	public KeptJobs kept() {
		return this.kept;
	}

	/** New wake-ups that notify other processes. */
	public WakeUps wakeUps() {
		return new WakeUps(new WakeUpStore(this.worker, this.listener), admission());
	}

	/** A queue for payloads of up to a megabyte, without hooks. */
	public TransactionalJobQueue queue(DataSource application, WakeUps wakeUps) {
		return queue(application, wakeUps, new JobEndings());
	}

	public TransactionalJobQueue queue(DataSource application, WakeUps wakeUps, JobEndings endings) {
		return queue(application, wakeUps, endings, DirectStart.NONE, Carriage.NONE);
	}

	/** A queue some of whose jobs something else carries. */
	public TransactionalJobQueue queue(DataSource application, WakeUps wakeUps, JobEndings endings,
			Function<QueueDatabase, Carriage> carriage) {
		return queue(application, wakeUps, endings, DirectStart.NONE, carriage.apply(this.databases.application()));
	}

	/** A queue whose jobs can be stored in another shard instead. */
	public TransactionalJobQueue queueOfShard(DataSource application, WakeUps wakeUps, DirectStart directStart) {
		return queue(caller(true, application), wakeUps, new JobEndings(), hooks(directStart), Carriage.NONE);
	}

	/**
	 * A queue of a process with workers, some of whose jobs something else may carry.
	 * @param directStart the idle slots of the process
	 */
	public TransactionalJobQueue queue(DataSource application, WakeUps wakeUps, JobEndings endings,
			DirectStart directStart, Carriage carriage) {
		return queue(caller(false, application), wakeUps, endings, hooks(directStart), carriage);
	}

	/** A queue in which others take part. */
	public TransactionalJobQueue queue(DataSource application, WakeUps wakeUps, EnqueueHooks hooks) {
		return queue(caller(false, application), wakeUps, new JobEndings(), hooks, Carriage.NONE);
	}

	/** A queue that is called in or outside of certain transactions. */
	public TransactionalJobQueue queue(CallerTransaction caller, WakeUps wakeUps) {
		return queue(caller, wakeUps, new JobEndings(), hooks(DirectStart.NONE), Carriage.NONE);
	}

	private static CallerTransaction caller(boolean oneOfSeveral, DataSource application) {
		return new CallerTransaction(application, oneOfSeveral, new TransactionCheck(TransactionCheck.Mode.WARN));
	}

	private static EnqueueHooks hooks(DirectStart directStart) {
		return new EnqueueHooks(List::of, () -> JobListener.NONE, DeclaredTypes.NONE, directStart, JobWindows.NONE);
	}

	private TransactionalJobQueue queue(CallerTransaction caller, WakeUps wakeUps, JobEndings endings,
			EnqueueHooks hooks, Carriage carried) {
		return new TransactionalJobQueue(this.databases, this.kept, caller,
				new PayloadWriter(Engine.CODEC, PayloadWriter.DEFAULT_MAX_SIZE), wakeUps, endings, hooks, carried);
	}

	/** Whose changes have transactions of their own. */
	public DefaultJobControl control(WakeUps wakeUps) {
		return new DefaultJobControl(QueueDatabases.of(this.worker), ChangeScope.separate(this.worker), wakeUps,
				PayloadChange.REFUSED);
	}

	/** Whose changes have transactions of their own. */
	public ControlStore controlStore() {
		return new ControlStore(ChangeScope.separate(this.worker));
	}

	/** Whose changes have transactions of their own. */
	public FailedJobStore failedJobs() {
		return new FailedJobStore(this.worker, ChangeScope.separate(this.worker));
	}

	public JobStore jobs() {
		return new JobStore(this.databases);
	}

	public BatchStore batches() {
		return new BatchStore(this.databases, this.kept);
	}

	public StepStore steps() {
		return new StepStore(this.worker);
	}

	public LeaseStore leases() {
		return new LeaseStore(this.worker);
	}

	public OutcomeStore outcomes() {
		return new OutcomeStore(this.worker);
	}

	public SuccessStore successes() {
		return new SuccessStore(this.worker, this.kept);
	}

	public ClaimStore claims() {
		return new ClaimStore(this.worker, this.listener);
	}

	public LaneStore lanes() {
		return new LaneStore(this.worker);
	}

	public WaitStore waits() {
		return new WaitStore(this.worker);
	}

	public LimitStore limits() {
		return new LimitStore(this.worker);
	}

	public AdmissionStore admission() {
		return new AdmissionStore(this.worker);
	}

	public HoldStore holds() {
		return new HoldStore(this.worker);
	}

	public WeightStore weights() {
		return new WeightStore(this.worker);
	}

	public List<EnqueueResult> enqueue(List<NewJob> jobs) {
		return this.enqueue.enqueue(jobs);
	}

	public FlowResult enqueue(String flow, List<NewFlowJob> jobs) {
		return this.enqueue.enqueue(flow, jobs).result();
	}

	/** Adds jobs to the flow of a running job. */
	public StoredFlow extend(Lease adder, boolean beforeSuccessors, NewFlowJob... jobs) {
		return this.enqueue.extend(new Adder(adder.jobId(), adder.token()), List.of(jobs), beforeSuccessors);
	}

	public void wakeUp(Collection<String> queues) {
		new WakeUpStore(this.worker, this.listener).wakeUp(Arrivals.of(queues));
	}

	public Sweep sweep() {
		return sweep(Duration.ZERO);
	}

	public Sweep sweep(Duration aging) {
		return lanes().sweep(aging);
	}

	public Claimed claim(Claim claim) {
		return claims().claim(claim);
	}

	public LimitedClaim claimLimited(Claim claim) {
		return claims().claimLimited(claim);
	}

	public List<Long> succeed(long workerId, Collection<Lease> leases) {
		return successes().succeed(workerId, leases, Map.of(), (queue) -> {
		});
	}

	public List<Long> succeed(long workerId, Map<Lease, String> results) {
		return successes().succeed(workerId, results.keySet(), results, (queue) -> {
		});
	}

	/** Cancels jobs, whose latest errors remain. */
	public List<Long> cancel(long workerId, Collection<Lease> leases) {
		Map<Lease, @Nullable String> reasons = new LinkedHashMap<>();
		leases.forEach((lease) -> reasons.put(lease, null));
		return outcomes().cancel(workerId, reasons);
	}

	public Optional<Job> find(long id) {
		return jobs().find(id);
	}

	public FlowJobResult resultOfFlowJob(long jobId, String name) {
		return jobs().resultOfFlowJob(jobId, name);
	}

}
