package io.rowqueue.engine.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

import io.rowqueue.JobLogLine;
import io.rowqueue.JobRequest;
import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.FailedAttempt;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.UnhandledJobs;
import io.rowqueue.admin.WorkerResult;
import io.rowqueue.control.Pause;
import io.rowqueue.engine.control.ChangeScope;
import io.rowqueue.engine.control.DefaultJobControl;
import io.rowqueue.engine.control.PayloadChange;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.lease.JobLogStore;
import io.rowqueue.engine.search.JobDetailsStatement;
import io.rowqueue.engine.signal.WaitStore;
import io.rowqueue.engine.step.StepStore;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.masking.TextMasker;
import io.rowqueue.step.JobWait;
import io.rowqueue.step.RecordedStep;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** The default implementation of {@link JobAdmin}. */
public class DefaultJobAdmin extends DefaultJobControl implements JobAdmin {

	private final OverviewStore overview;

	private final JobDetailsStatement details;

	private final WorkerWishStore workers;

	private final JobLogStore logs;

	private final Explanations explanations;

	private final StepStore steps;

	private final WaitStore waits;

	/**
	 * Creates the administration of a process that has no transactions of its own.
	 * @param database the database
	 * @param wakeUps is notified of jobs that can be claimed again
	 */
	public DefaultJobAdmin(QueueDatabase database, WakeUps wakeUps) {
		this(QueueDatabases.of(database), ChangeScope.separate(database), wakeUps, PayloadChange.REFUSED, () -> "");
	}

	/**
	 * Creates the administration.
	 * @param databases the database
	 * @param changes where changes are made
	 * @param wakeUps is notified of jobs that can be claimed again
	 * @param payloads replaces payloads
	 * @param carriedJobs describes the jobs that a broker carries, as a sentence; empty:
	 * there is no broker
	 */
	public DefaultJobAdmin(QueueDatabases databases, ChangeScope changes, WakeUps wakeUps, PayloadChange payloads,
			Supplier<String> carriedJobs) {
		super(databases, changes, wakeUps, payloads);
		QueueDatabase database = databases.worker();
		this.overview = new OverviewStore(database);
		this.details = new JobDetailsStatement(database);
		this.workers = new WorkerWishStore(database);
		this.logs = new JobLogStore(database);
		this.steps = new StepStore(database);
		this.waits = new WaitStore(database);
		this.explanations = new Explanations(database, carriedJobs);
	}

	@Override
	public Explanation explain(long id) {
		return explain(id, TextMasker.NONE);
	}

	@Override
	public Explanation explain(long id, TextMasker masker) {
		return this.explanations.explain(id, masker);
	}

	@Override
	public Map<Long, Explanation> explainAll(Collection<Long> ids, TextMasker masker) {
		return this.explanations.explainAll(ids, masker);
	}

	@Override
	public WorkerResult quietWorker(long workerId) {
		return wished(this.workers.quiet(workerId, true));
	}

	@Override
	public WorkerResult resumeWorker(long workerId) {
		return wished(this.workers.quiet(workerId, false));
	}

	@Override
	public WorkerResult changeSlots(long workerId, String queue, int slots) {
		Assert.isTrue(slots > 0 && slots <= MAX_SLOTS, () -> "slots must be from 1 to " + MAX_SLOTS + ", not " + slots);
		return wished(this.workers.slots(workerId, queue, slots));
	}

	@Override
	public WorkerResult restartWorker(long workerId) {
		return wished(this.workers.restart(workerId));
	}

	@Override
	public boolean logStack(long jobId) {
		return this.workers.logStack(jobId);
	}

	/** An idle worker reads what is wanted of it with a heartbeat that is far away. */
	private WorkerResult wished(WorkerResult result) {
		wakeUp(Arrivals.DEFERRED);
		return result;
	}

	@Override
	public boolean isKnownQueue(String queue) {
		return queue.equals(JobRequest.DEFAULT_QUEUE) || this.overview.isKnown(Pause.QUEUE, queue);
	}

	@Override
	public boolean isKnownType(String type) {
		return this.overview.isKnown(Pause.TYPE, type);
	}

	@Override
	public List<UnhandledJobs> unhandled() {
		return this.overview.unhandled();
	}

	@Override
	public List<JobWait> waits(long id) {
		return this.waits.list(id);
	}

	@Override
	public List<RecordedStep> steps(long id) {
		return this.steps.list(id);
	}

	@Override
	public List<JobLogLine> log(long id) {
		return this.logs.list(id);
	}

	@Override
	public List<FailedAttempt> failures(long id) {
		return this.details.failures(id, Integer.MAX_VALUE, Integer.MAX_VALUE);
	}

}
