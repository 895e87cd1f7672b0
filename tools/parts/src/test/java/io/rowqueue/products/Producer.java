package io.rowqueue.products;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;

import io.rowqueue.DuplicateJobException;
import io.rowqueue.EnqueueResult;
import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.control.CancelResult;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.products.Ledger.Entry;
import io.rowqueue.products.Ledger.Fate;
import io.rowqueue.step.SignalResult;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Enqueues what plans say, in the transactions that they say, and writes it down. */
final class Producer {

	/** What the application writes besides. */
	private static final String OTHER_WORK = "insert into public.application values (1)";

	/** By how much jobs are postponed. */
	private static final Duration DELAY = Duration.ofSeconds(2);

	private final Ledger ledger;

	private final Plans plans;

	private final Random random;

	private final Site site;

	private final Map<String, Integer> refused;

	Producer(Ledger ledger, Plans plans, Random random, Site site, Map<String, Integer> refused) {
		this.ledger = ledger;
		this.plans = plans;
		this.random = random;
		this.site = site;
		this.refused = refused;
	}

	/** Enqueues the next plan. */
	void next() {
		enqueue(this.plans.next());
	}

	/** Enqueues a job that starts at its commit if a slot is idle. */
	void startable() {
		enqueue(this.plans.startable());
	}

	private void enqueue(Plan plan) {
		boolean ordered = plan.is(Plan.LimitKey.ORDERED);
		Lock lock = this.ledger.order(String.valueOf(plan.limitKey()));
		if (ordered) {
			lock.lock();
		}
		try {
			this.site.use((queue, transactions, foreign, jdbc, admin) -> enqueue(plan,
					new Transactions(queue, transactions, foreign, jdbc, admin)));
		}
		finally {
			if (ordered) {
				lock.unlock();
			}
		}
	}

	private void enqueue(Plan plan, Transactions at) {
		Attempt attempt = new Attempt(plan);
		try {
			at.run(plan, attempt);
		}
		catch (RuntimeException ex) {
			attempt.failed(ex);
			Handlers.pauseQuietly(100);
		}
		attempt.decide();
		if (plan.is(Plan.LimitKey.ORDERED) && attempt.main != null && attempt.main.fate == Fate.COMMITTED
				&& attempt.main.created && plan.is(Plan.Due.AT_ONCE) && plan.is(Plan.Key.NONE)
				&& plan.is(Plan.Change.NONE) && (plan.is(Plan.Group.SINGLE) || plan.is(Plan.Group.BULK))) {
			this.ledger.committedInOrder(attempt.main);
		}
		if ((plan.is(Plan.Change.CANCEL) || plan.is(Plan.Change.POSTPONE)) && attempt.main != null
				&& attempt.main.fate == Fate.COMMITTED) {
			try {
				at.change(attempt.main);
			}
			catch (RuntimeException ex) {
				// it is not known whether it was changed
			}
		}
		if (plan.is(Plan.Work.STEP_SIGNAL) && attempt.main != null && attempt.main.created
				&& attempt.main.fate == Fate.COMMITTED) {
			signal(attempt.main, at);
		}
	}

	private void signal(Entry entry, Transactions at) {
		for (int i = 0; i < 3; i++) {
			try {
				Plan.Signal when = (i == 0) ? entry.plan.get(Plan.Signal.class) : Plan.Signal.ALONE;
				SignalResult result = at.signal(entry.id, when);
				this.ledger.signalled(entry.id, result);
				if (result != SignalResult.NO_SUCH_JOB) {
					return;
				}
			}
			catch (RuntimeException ex) {
				// it is not known whether it was stored: once more
			}
		}
	}

	private void refused(RuntimeException ex) {
		this.refused.merge(
				ex.getClass().getSimpleName() + ": "
						+ String.valueOf(ex.getMessage()).lines().findFirst().orElse("").replaceAll("[0-9]+", "n"),
				1, Integer::sum);
	}

	/** Where a producer enqueues. */
	interface Site {

		/** Uses a process or a shard that is alive. */
		void use(Use use);

		/** A transaction has stored this, and stays open: something may happen. */
		default void lingers(Plan plan) {
		}

		/** Uses it. */
		interface Use {

			void with(JobQueue queue, PlatformTransactionManager transactions, PlatformTransactionManager foreign,
					JdbcTemplate jdbc, JobAdmin admin);

		}

	}

	/** One call, and what is known of it. */
	private final class Attempt {

		private final Plan plan;

		private final List<Entry> entries = new ArrayList<>();

		private @Nullable Entry main;

		/** Whether the enqueue has returned. */
		private boolean returned;

		/** Whether the work of the transaction has come to its end. */
		private boolean complete;

		/** Whether a transaction was to be rolled back. */
		private boolean rolledBack;

		/** Whether an exception means that nothing is stored. */
		private boolean refused;

		/**
		 * Whether the exception came before the commit of a transaction of the caller.
		 */
		private boolean inCallersTransaction;

		private boolean ended;

		Attempt(Plan plan) {
			this.plan = plan;
		}

		void failed(RuntimeException ex) {
			refused(ex);
			this.refused = ex instanceof IllegalArgumentException || ex instanceof DuplicateJobException
					|| ex instanceof JobQueueException;
		}

		/** Says what must have become of the jobs. */
		void decide() {
			Fate fate;
			if (this.rolledBack || this.refused && !this.ended || !this.complete && this.inCallersTransaction) {
				fate = Fate.ROLLED_BACK;
			}
			else {
				fate = this.ended ? Fate.COMMITTED : Fate.UNKNOWN;
			}
			this.entries.forEach((entry) -> entry.fate = fate);
			if (this.refused && !this.inCallersTransaction) {
				// what was enqueued before it is stored
				this.entries.stream()
					.filter((entry) -> entry != this.main)
					.forEach((entry) -> entry.fate = entry.created ? Fate.COMMITTED : Fate.UNKNOWN);
			}
		}

		void submit(JobQueue queue) {
			this.main = entry(this.plan);
			JobRequest request = this.plan.request();
			switch (this.plan.get(Plan.Group.class)) {
				case SINGLE -> created(this.main, queue.enqueue(request));
				case BULK -> {
					Entry before = entry(Producer.this.plans.plain());
					Entry after = entry(Producer.this.plans.plain());
					List<EnqueueResult> results = queue
						.enqueueAll(List.of(before.plan.request(), request, after.plan.request()));
					created(before, results.get(0));
					created(this.main, results.get(1));
					created(after, results.get(2));
				}
				case SUCCESSOR -> {
					Entry before = entry(Producer.this.plans.plain());
					created(before, queue.enqueue(before.plan.request()));
					this.main.predecessors.add(before);
					created(this.main, queue.enqueue(request.after(before.id)));
				}
				case FLOW -> {
					Entry after = entry(Producer.this.plans.plain());
					after.predecessors.add(this.main);
					FlowResult result = queue.enqueue(Flow.named("flow")
						.job("first", request)
						.job("second", after.plan.request())
						.after("first"));
					created(after, result.jobId("second"));
					this.main.id = result.jobId("first");
					this.main.created = this.plan.uniqueKey() == null;
					this.main.outcome = "in a flow";
				}
				case BATCH -> {
					Entry beside = entry(Producer.this.plans.plain());
					long batch = queue.enqueueBatch(
							Batch.named("batch").onFinish(JobRequest.of("note", "end of " + this.plan.token())),
							Stream.of(request, beside.plan.request()));
					beside.created = true;
					beside.outcome = "in batch " + batch;
					this.main.created = this.plan.uniqueKey() == null;
					this.main.outcome = beside.outcome;
				}
			}
			this.returned = true;
		}

		private Entry entry(Plan given) {
			Entry entry = Producer.this.ledger.enqueue(given, this.plan, Producer.this.site);
			entry.sharded = Producer.this.site instanceof ShardsWorld.ShardSite;
			this.entries.add(entry);
			return entry;
		}

		private void created(Entry entry, EnqueueResult result) {
			entry.created = result.created();
			entry.id = result.id();
			entry.outcome = result.outcome().toString();
		}

		private void created(Entry entry, long id) {
			entry.created = true;
			entry.id = id;
		}

	}

	/** The kinds of transactions. */
	private final class Transactions {

		private final JobQueue queue;

		private final PlatformTransactionManager manager;

		private final PlatformTransactionManager foreign;

		private final JdbcTemplate jdbc;

		private final JobAdmin admin;

		Transactions(JobQueue queue, PlatformTransactionManager manager, PlatformTransactionManager foreign,
				JdbcTemplate jdbc, JobAdmin admin) {
			this.queue = queue;
			this.manager = manager;
			this.foreign = foreign;
			this.jdbc = jdbc;
			this.admin = admin;
		}

		void run(Plan plan, Attempt attempt) {
			switch (plan.get(Plan.When.class)) {
				case ALONE -> {
					enqueue(attempt);
					attempt.ended = true;
				}
				case OWN -> own(attempt, TransactionDefinition.ISOLATION_DEFAULT);
				case READ_COMMITTED -> own(attempt, TransactionDefinition.ISOLATION_READ_COMMITTED);
				case REPEATABLE_READ -> own(attempt, TransactionDefinition.ISOLATION_REPEATABLE_READ);
				case ROLLED_BACK -> {
					attempt.rolledBack = true;
					own(attempt, TransactionDefinition.ISOLATION_DEFAULT);
				}
				case FOREIGN -> new TransactionTemplate(this.foreign).executeWithoutResult((status) -> {
					enqueue(attempt);
					attempt.ended = true; // whatever becomes of the other transaction
					if (Producer.this.random.nextBoolean()) {
						status.setRollbackOnly();
					}
				});
				case REQUIRES_NEW -> new TransactionTemplate(this.manager).executeWithoutResult((status) -> {
					this.jdbc.update(OTHER_WORK);
					status.setRollbackOnly();
					TransactionTemplate inner = new TransactionTemplate(this.manager);
					inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
					attempt.inCallersTransaction = true;
					inner.executeWithoutResult((own) -> submit(attempt));
					attempt.ended = true;
				});
				case AFTER_COMMIT -> afterCommit(attempt, () -> {
					enqueue(attempt);
					attempt.ended = true;
				});
			}
		}

		private void own(Attempt attempt, int isolation) {
			TransactionTemplate transaction = new TransactionTemplate(this.manager);
			transaction.setIsolationLevel(isolation);
			attempt.inCallersTransaction = true;
			transaction.executeWithoutResult((status) -> {
				this.jdbc.update(OTHER_WORK);
				if (attempt.rolledBack) {
					status.setRollbackOnly();
				}
				submit(attempt);
			});
			attempt.ended = true;
		}

		private void submit(Attempt attempt) {
			enqueue(attempt);
			switch (attempt.plan.get(Plan.Linger.class)) {
				case NOT -> {
				}
				case SHORT -> Handlers.pauseQuietly(Producer.this.random.nextInt(200));
				case LONG -> Handlers.pauseQuietly(Producer.this.random.nextInt(1500));
				case ACROSS_A_MOVE -> {
					if (attempt.main != null && attempt.main.created) {
						Producer.this.site.lingers(attempt.plan);
					}
					Handlers.pauseQuietly(Producer.this.random.nextInt(1500));
				}
			}
			attempt.complete = true;
		}

		private void afterCommit(Attempt attempt, Runnable work) {
			attempt.inCallersTransaction = true;
			new TransactionTemplate(this.manager).executeWithoutResult((status) -> {
				this.jdbc.update(OTHER_WORK);
				TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						attempt.inCallersTransaction = false; // it is over
						work.run();
					}

				});
			});
		}

		private void enqueue(Attempt attempt) {
			attempt.submit(this.queue);
			if (attempt.main != null
					&& (attempt.plan.is(Plan.Change.CANCEL_WITHIN) || attempt.plan.is(Plan.Change.POSTPONE_WITHIN))) {
				change(attempt.main);
			}
		}

		/** Changes a job as its plan says, in the transaction of the caller. */
		void change(Entry entry) {
			switch (entry.plan.get(Plan.Change.class)) {
				case NONE -> {
				}
				case CANCEL, CANCEL_WITHIN -> {
					entry.mayBeCancelled = true;
					if (this.admin.cancel(entry.id) == CancelResult.CANCELLED) {
						entry.cancelled();
					}
				}
				case POSTPONE, POSTPONE_WITHIN -> {
					long due = System.nanoTime() + DELAY.toNanos();
					if (this.admin.reschedule(entry.id, DELAY)) {
						entry.heldTo(due);
					}
				}
			}
		}

		SignalResult signal(long id, Plan.Signal when) {
			if (when == Plan.Signal.ALONE) {
				return this.queue.signal(id, "go", null);
			}
			SignalResult[] result = { SignalResult.NO_SUCH_JOB };
			new TransactionTemplate(this.manager).executeWithoutResult((status) -> {
				this.jdbc.update(OTHER_WORK);
				if (when == Plan.Signal.OWN) {
					result[0] = this.queue.signal(id, "go", null);
				}
				else {
					TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

						@Override
						public void afterCommit() {
							result[0] = Transactions.this.queue.signal(id, "go", null);
						}

					});
				}
			});
			return result[0];
		}

	}

}
