package io.rowqueue.lab.verify.process;

import java.sql.Connection;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.rowqueue.JobContext;
import io.rowqueue.JobHandlers;
import io.rowqueue.lab.verify.worker.Work;
import io.rowqueue.lab.verify.worker.Effects;
import io.rowqueue.lab.verify.worker.WorkerSpec;
import io.rowqueue.lab.verify.ledger.Event;
import io.rowqueue.lab.verify.ledger.LedgerFile;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

/** Does its work and writes down that it did, outside the queue. */
final class WorkHandler implements JobHandlers.Handler<Work> {

	private final LedgerFile ledger;

	private final @Nullable DataSource held;

	private final @Nullable Effects effects;

	/**
	 * Creates the handler.
	 * @param held where each run takes a connection from; {@code null}: none is needed
	 * @param effects what each run writes to; {@code null}: to nothing
	 */
	WorkHandler(LedgerFile ledger, @Nullable DataSource held, @Nullable Effects effects) {
		this.ledger = ledger;
		this.held = held;
		this.effects = effects;
	}

	@Override
	public void run(@Nullable Work work, JobContext context) throws Exception {
		if (context.type().equals(WorkerSpec.POISON)) {
			die();
		}
		if (work == null) {
			throw new IllegalStateException("a job without a payload");
		}
		write(Event.BEGUN, work, context);
		try {
			if (this.effects != null) {
				this.effects.write(context.id());
			}
			if (this.held != null) {
				try (Connection connection = this.held.getConnection()) {
					perform(work, context);
					connection.isValid(1);
				}
			}
			else {
				perform(work, context);
			}
		}
		catch (InterruptedException ex) {
			write(Event.INTERRUPTED, work, context);
			throw ex;
		}
		catch (DataAccessException ex) {
			write(Event.CUT_OFF, work, context);
			throw ex;
		}
		catch (FailureOnPurpose ex) {
			write(Event.FAILED, work, context);
			throw ex;
		}
		catch (Exception | Error ex) {
			write(Event.BROKEN, work, context);
			throw ex;
		}
		write(Event.ENDED, work, context);
	}

	/**
	 * At once: a JVM that ends by itself, even by halt, stops all threads and writes its
	 * classes before, if it was told to.
	 */
	private static void die() throws Exception {
		new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start().waitFor();
	}

	private static void perform(Work work, JobContext context) throws InterruptedException {
		TimeUnit.MILLISECONDS.sleep(work.millis());
		if (context.attempt() <= work.failures()) {
			throw new FailureOnPurpose();
		}
	}

	private void write(Event event, Work work, JobContext context) {
		this.ledger.append(event, work.number(), context.id(), context.attempt(), context.leaseToken());
	}

}
