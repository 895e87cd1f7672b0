package io.rowqueue.test;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.AttemptGate;
import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.attempt.AttemptParts;
import io.rowqueue.engine.attempt.HandlerCall;
import io.rowqueue.engine.attempt.JobRunner;
import io.rowqueue.engine.attempt.Judge;
import io.rowqueue.engine.attempt.Retries;
import io.rowqueue.engine.attempt.TypeOptions;
import io.rowqueue.engine.finish.CommittedEnds;
import io.rowqueue.engine.finish.OutcomeWriter;
import io.rowqueue.engine.finish.UnwrittenOutcome;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.worker.WorkerIdentity;
import io.rowqueue.engine.worker.WorkerParts;
import io.rowqueue.engine.worker.WorkerStore;

/**
 * Runs jobs in the calling thread, one after the other, most urgent first. If the thread
 * is in a transaction, all of it happens in there, and the writes of an attempt that
 * fails are undone, except for what was written before its last step ended.
 * <p>
 * It judges attempts as a worker does. It has no clock of its own that runs beside the
 * handler: no timeout interrupts it.
 */
final class InlineWorker {

	private final WorkerParts parts;

	private final InlineClaimStore claim;

	private final WorkerStore workers;

	private final TypeOptions options;

	/**
	 * Creates the worker.
	 * @param parts what it is made of; their database takes part in the transaction of
	 * the calling thread
	 */
	InlineWorker(WorkerParts parts) {
		this.parts = parts;
		this.claim = new InlineClaimStore(parts.databases().worker());
		this.workers = new WorkerStore(parts.databases().worker());
		this.options = new TypeOptions(parts.handlers(), parts.settings().maxAttempts());
	}

	/**
	 * Runs jobs that are due, and those that become due meanwhile, until none is left or
	 * the maximum number of attempts has taken place.
	 * @param types only jobs of these types, which have handlers
	 * @param after only jobs whose id is greater
	 * @param limit the maximum number of attempts
	 * @return the id of each attempt's job, in order
	 */
	List<Long> run(Collection<String> types, long after, int limit) {
		boolean joined = this.parts.caller().isActive();
		long id = this.workers.register(new WorkerIdentity("inline", List.of(), types, Map.of(), Map.of(), Map.of(),
				Set.of(), WorkerIdentity.DEFAULT_LEASE, false));
		Judge judge = new Judge(new Retries(this.parts.retryPolicy()), this.parts.hooks().listener());
		AttemptGate gate = new AttemptGate(judge, this.parts.databases().worker(), this.parts.hooks().windows(),
				this.parts.settings().maxPayloadSize(), id, () -> true);
		KeptSteps steps = new KeptSteps();
		AttemptParts attempts = joined ? this.parts.attempts().joining(steps) : this.parts.attempts();
		CommittedEnds ends = new CommittedEnds((arrivals) -> {
		}, (keys) -> {
		}, this.parts.endings(), (job) -> false);
		JobRunner runner = new JobRunner(gate, new HandlerCall(attempts, id, ends::ended), judge, this.parts.hooks());
		OutcomeWriter writer = new OutcomeWriter(this.parts.databases().worker(), this.parts.kept(), id, ends,
				this.parts.hooks().store(), this.parts.hooks().listener(), (outcomes) -> {
				}, UnaryOperator.identity());
		List<Long> jobs = new ArrayList<>();
		while (jobs.size() < limit) {
			Optional<ClaimedJob> claimed = this.claim.next(id, types, after);
			if (claimed.isEmpty()) {
				break;
			}
			ActiveJob job = new ActiveJob(claimed.get(), this.options.of(claimed.get().type()),
					claimed.get().priority());
			Optional<AttemptOutcome> outcome = joined ? this.parts.caller().attempt((keep) -> {
				steps.begin(job, keep);
				return run(runner, job);
			}, InlineWorker::keepsWrites) : run(runner, job);
			outcome.ifPresent((known) -> write(writer, known));
			this.workers.heartbeat(id, 0); // a handler may have taken its time
			jobs.add(job.id());
		}
		this.workers.unregister(id);
		return jobs;
	}

	private static void write(OutcomeWriter writer, AttemptOutcome outcome) {
		for (UnwrittenOutcome unwritten : writer.write(List.of(outcome))) {
			throw Objects.requireNonNullElseGet(unwritten.error(),
					() -> new IllegalStateException("Another transaction has locked the row of " + outcome.job()));
		}
	}

	private static Optional<AttemptOutcome> run(JobRunner runner, ActiveJob job) {
		List<AttemptOutcome> outcomes = new ArrayList<>(1);
		runner.run(job, outcomes::add);
		return outcomes.stream().findFirst();
	}

	/**
	 * Without an outcome, a transactional handler has written its success already. What a
	 * handler does before it waits stays, unless it is transactional.
	 */
	private static boolean keepsWrites(Optional<AttemptOutcome> outcome) {
		return outcome.isEmpty() || outcome.get() instanceof AttemptOutcome.Succeeded
				|| (outcome.get() instanceof AttemptOutcome.Suspended waits && !waits.job().options().transactional());
	}

	/**
	 * Keeps the steps that an attempt records, whatever its outcome, as they are kept by
	 * a worker; but not those of a transactional handler.
	 */
	private static final class KeptSteps implements StoreListener {

		private Runnable keep = () -> {
		};

		void begin(ActiveJob job, Runnable keepWrites) {
			this.keep = job.options().transactional() ? () -> {
			} : keepWrites;
		}

		@Override
		public void step(String queue, String type, boolean replayed) {
			this.keep.run();
		}

	}

}
