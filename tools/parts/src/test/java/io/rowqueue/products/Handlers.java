package io.rowqueue.products;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.rowqueue.JobContext;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.products.Ledger.End;
import io.rowqueue.products.Ledger.Run;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.TestProcess;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Does what plans say, and writes it down. */
final class Handlers {

	private static final Duration SIGNAL_TIMEOUT = Duration.ofSeconds(20);

	private final Ledger ledger;

	/** How many processes may yet be taken for dead, or end. */
	private final Semaphore deaths;

	private final Consumer<Node> kill;

	Handlers(Ledger ledger, Semaphore deaths, Consumer<Node> kill) {
		this.ledger = ledger;
		this.deaths = deaths;
		this.kill = kill;
	}

	TestProcess.Builder register(Node node, TestProcess.Builder process) {
		for (String type : List.of("stored", "carried", "note")) {
			process.handle(type, (token, context) -> run(node, token, context));
		}
		return process.handleInTransaction("transactional", (token, context) -> run(node, token, context));
	}

	private void run(Node node, @Nullable String payload, JobContext context) throws Exception {
		if (node.isKilled()) {
			throw new IllegalStateException("This process does not exist any more");
		}
		String token = String.valueOf(payload);
		Run run = this.ledger.begin(node, token, context);
		try {
			if (run.plan != null) {
				act(run, run.plan, context);
			}
			run.ended(End.RETURNED, null);
		}
		catch (SnoozeJobException ex) {
			run.ended(End.WAITED, null);
			throw ex;
		}
		catch (Throwable ex) {
			run.ended(End.THREW, ex);
			throw ex;
		}
	}

	private void act(Run run, Plan plan, JobContext context) throws Exception {
		switch (plan.get(Plan.Inside.class)) {
			case OWN -> inTransaction(run.node.transactions(), run, plan, context);
			case FOREIGN -> inTransaction(run.node.foreignTransactions(), run, plan, context);
			default -> {
				if (plan.is(Plan.Fault.LEAVE_OPEN) && !plan.is(Plan.Inside.TRANSACTIONAL)) {
					run.node.transactions().getTransaction(new DefaultTransactionDefinition());
				}
				work(run, plan, context);
			}
		}
	}

	private void inTransaction(PlatformTransactionManager manager, Run run, Plan plan, JobContext context)
			throws Exception {
		try {
			new TransactionTemplate(manager).executeWithoutResult((status) -> {
				try {
					work(run, plan, context);
				}
				catch (RuntimeException ex) {
					throw ex;
				}
				catch (Exception ex) {
					throw new CheckedException(ex);
				}
			});
		}
		catch (CheckedException ex) {
			throw ex.checked;
		}
		if (plan.is(Plan.Fault.LEAVE_OPEN)) {
			manager.getTransaction(new DefaultTransactionDefinition());
		}
	}

	private void work(Run run, Plan plan, JobContext context) throws Exception {
		switch (plan.get(Plan.Work.class)) {
			case EFFECT -> effect(run);
			case STEP -> context.step("step", () -> effect(run));
			case SLEEP -> {
				context.sleep("nap", plan.nap());
				effect(run);
			}
			case STEP_SLEEP -> {
				context.step("step", () -> effect(run));
				context.sleep("nap", plan.nap());
			}
			case STEP_SIGNAL -> {
				context.step("step", () -> effect(run));
				if (!context.awaitSignal("go", SIGNAL_TIMEOUT)) {
					this.ledger.timedOut(run);
				}
			}
		}
		misbehave(run, plan);
	}

	private static void effect(Run run) {
		run.node.jdbc()
			.update("insert into public.effect (job_id, lease, token) values (?, ?, ?)", run.jobId, run.lease,
					run.token);
	}

	private void misbehave(Run run, Plan plan) throws Exception {
		boolean first = this.ledger.runs(run.jobId)
			.stream()
			.noneMatch((other) -> other != run && other.token.equals(run.token)
					&& (other.end == End.THREW || other.mayBeLost()));
		switch (plan.get(Plan.Fault.class)) {
			case NONE, LEAVE_OPEN -> {
			}
			case THROW_ONCE -> {
				if (first) {
					throw new IllegalStateException("as planned, once");
				}
			}
			case THROW_ALWAYS -> throw new IllegalStateException("as planned");
			case BLOCK -> pause(250);
			case OUTLIVE -> {
				if (first && this.deaths.tryAcquire()) {
					run.node.takeForDead(run.jobId);
					CountDownLatch over = new CountDownLatch(1);
					Async.run(() -> {
						pauseQuietly(1500);
						over.countDown();
					});
					Async.awaitDeaf(over);
				}
			}
			case EXIT -> {
				if (first && this.deaths.tryAcquire()) {
					this.kill.accept(run.node);
					pause(5000);
				}
			}
		}
	}

	private static void pause(long millis) throws InterruptedException {
		new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
	}

	static void pauseQuietly(long millis) {
		await(new CountDownLatch(1), Duration.ofMillis(millis));
	}

	/** Returns when it has happened, or is not worth to be waited for any longer. */
	static void await(CountDownLatch latch, Duration patience) {
		try {
			latch.await(patience.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** An exception that a handler may throw. */
	private static final class CheckedException extends RuntimeException {

		private final Exception checked;

		CheckedException(Exception checked) {
			super(checked);
			this.checked = checked;
		}

	}

}
