package io.rowqueue.engine.signal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

import io.rowqueue.JobContext;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.step.SignalResult;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.OpenTransaction;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.springframework.dao.DataAccessException;

/**
 * Sends signals while their jobs are about to wait, and remembers what the senders were
 * told. Each job is sent its own text for each name. For any thread.
 */
final class SignalSenders {

	/** How long a sender waits for what it wants to happen first. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	private static final int MAX_JOBS = 1000;

	/**
	 * What happens between the look for a signal and the beginning of the wait for it.
	 */
	enum Interference {

		/** The signal is sent and committed. */
		SENT,

		/** The signal is sent, and committed when the job waits or its wait is over. */
		COMMITTED_LATE,

		/** Another text is sent, and rolled back when the job waits. */
		ROLLED_BACK,

		/**
		 * The job is locked, so that the statement that lets it wait sees what was there
		 * before; the signal is sent and committed, and looked at by maintenance, before
		 * the job is unlocked.
		 */
		SENT_WHILE_LOCKED

	}

	private final Engine engine;

	private final MaintenanceStore maintenance;

	private final Map<String, SignalResult> told = new ConcurrentHashMap<>();

	private final Queue<CompletableFuture<Void>> senders = new ConcurrentLinkedQueue<>();

	private final Map<Interference, Integer> times = Collections.synchronizedMap(new EnumMap<>(Interference.class));

	private final List<String> violations = Collections.synchronizedList(new ArrayList<>());

	SignalSenders(Engine engine) {
		this.engine = engine;
		this.maintenance = new MaintenanceStore(engine.queueDatabase());
	}

	/** The text that a job is sent for a name. */
	static String text(long job, String name) {
		return job + " " + name;
	}

	/** Sends a signal in a transaction of its own. */
	SignalResult send(long job, String name) {
		SignalResult result = this.engine.queue().signal(job, name, text(job, name));
		told(job, name, result);
		return result;
	}

	/** Sends a signal in a transaction that is still open. */
	SignalResult send(OpenTransaction transaction, long job, String name, String text) {
		return SignalResult.valueOf(
				transaction.select("select upper(rowqueue.signal(%d, '%s', '\"%s\"'))".formatted(job, name, text)));
	}

	/** Notes the answer of a call whose transaction was committed. */
	void told(long job, String name, SignalResult result) {
		if (result != SignalResult.NO_SUCH_JOB) {
			SignalResult now = (result == SignalResult.ALREADY_SENT) ? SignalResult.STORED : result;
			SignalResult before = this.told.putIfAbsent(text(job, name), now);
			if (before != null && before != now) {
				this.violations.add(text(job, name) + " was " + before + ", and then " + now);
			}
		}
	}

	/** What the senders of a signal were told: STORED, TOO_LATE, or null for neither. */
	SignalResult answer(long job, String name) {
		return this.told.get(text(job, name));
	}

	/** Answers that contradict each other. */
	List<String> violations() {
		return List.copyOf(this.violations);
	}

	/** How often each happened. */
	Map<Interference, Integer> times() {
		return Map.copyOf(this.times);
	}

	/**
	 * Does something to a job that has looked for a signal and is about to wait for it.
	 */
	void interfere(JobContext job, String name, Random random) {
		Interference[] all = Interference.values();
		Interference interference = all[random.nextInt(all.length)];
		try {
			switch (interference) {
				case SENT -> send(job.id(), name);
				case COMMITTED_LATE -> sendLate(job, name);
				case ROLLED_BACK -> sendInVain(job, name);
				case SENT_WHILE_LOCKED -> sendWhileLocked(job, name);
			}
			this.times.merge(interference, 1, Integer::sum);
		}
		catch (Exception ex) {
			// its session was terminated: the last sender finds out what has happened
		}
	}

	private void sendLate(JobContext job, String name) throws Exception {
		OpenTransaction sender = this.engine.begin();
		SignalResult result = send(sender, job.id(), name, text(job.id(), name));
		later(sender, () -> {
			awaitOrGoOn(() -> hasGoneOn(job));
			sender.commit();
			told(job.id(), name, result);
		});
	}

	private void sendInVain(JobContext job, String name) throws Exception {
		OpenTransaction sender = this.engine.begin();
		send(sender, job.id(), name, "in vain");
		later(sender, () -> {
			awaitOrGoOn(() -> hasGoneOn(job));
			sender.rollback();
		});
	}

	private void sendWhileLocked(JobContext job, String name) throws Exception {
		OpenTransaction lock = this.engine.lock(job.id());
		later(lock, () -> {
			awaitOrGoOn(() -> this.engine.isBlocked("with attempt as materialized%"));
			send(job.id(), name);
			this.maintenance.resumeSignalled(MAX_JOBS);
		});
	}

	/** Whether the job waits, or runs again if it waits for a moment only. */
	private boolean hasGoneOn(JobContext job) {
		return this.engine.count("job where id = ? and worker_id is not null and lease = ?", job.id(),
				job.leaseToken()) == 0
				&& this.engine.count("job where id = ? and worker_id is null and run_at < now() + interval '1 minute'",
						job.id()) == 0;
	}

	private void later(OpenTransaction transaction, Work work) {
		this.senders.add(Async.run(() -> {
			try (transaction) {
				work.run();
			}
			catch (Exception ex) {
				// its session was terminated
			}
		}));
	}

	/** Waits until all that was begun has ended. */
	void awaitAll() {
		for (CompletableFuture<Void> sender = this.senders.poll(); sender != null; sender = this.senders.poll()) {
			sender.join();
		}
	}

	private static void awaitOrGoOn(BooleanSupplier condition) {
		try {
			Awaitility.await()
				.atMost(PATIENCE)
				.ignoreExceptionsInstanceOf(DataAccessException.class)
				.until(condition::getAsBoolean);
		}
		catch (ConditionTimeoutException ex) {
			// a process was stopped or killed before
		}
	}

	private interface Work {

		void run() throws Exception;

	}

}
