package io.rowqueue.engine.signal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.control.JobControl;
import io.rowqueue.engine.signal.SignalSenders.Interference;
import io.rowqueue.postgres.Dose;
import io.rowqueue.step.SignalResult;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.LeaseCheck;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.ProcessHerd;
import io.rowqueue.testing.Seed;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers that wait for one signal after the other and sleep in between. Signals are
 * sent at any time, above all between the look for a signal and the beginning of the
 * wait, also in transactions that take long or are rolled back; waiting jobs are called
 * before their time; and processes start, stop, are killed and given up at random.
 */
class RandomSignalTests {

	private static final int JOBS = Dose.of(12, 40);

	/** How many signals are due to be sent while others are. */
	private static final int BACKLOG = 40;

	private static final List<String> SIGNALS = List.of("hurried", "first", "brief", "second");

	/** Those that jobs wait for only for a moment. */
	private static final Set<String> BRIEF = Set.of("hurried", "brief");

	/** A killed process uses up an attempt. */
	private static final int MAX_ATTEMPTS = 1000;

	private static final Duration LONG = Duration.ofHours(1);

	private static final String NOTHING = "nothing";

	private static final long NO_JOB = -1;

	private final long seed = Seed.of(this);

	private final Random random = new Random(this.seed);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private final JobControl control = this.engine.control();

	private final SignalSenders senders = new SignalSenders(this.engine);

	private final List<Long> jobs = new ArrayList<>();

	/** What the first call for a signal has returned. */
	private final Map<String, String> received = new ConcurrentHashMap<>();

	private final LeaseCheck leases = new LeaseCheck();

	private final List<String> violations = Collections.synchronizedList(new ArrayList<>());

	private final ProcessHerd herd = new ProcessHerd(this.engine, this.random, MAX_ATTEMPTS,
			(process) -> process.retry((job, error) -> Duration.ofMillis(1)).handle("waits", this::run));

	@Test
	void eachSignalIsReceivedByTheProgressOfItsJobOrTooLate() throws Exception {
		this.herd.start();
		this.herd.start();
		List<Runnable> signals = new ArrayList<>();
		for (int i = 0; i < JOBS; i++) {
			long job = await().ignoreExceptions()
				.until(() -> this.engine.enqueue(JobRequest.of("waits")), (id) -> id > 0);
			this.jobs.add(job);
			SIGNALS.forEach((name) -> signals.add(() -> send(job, name)));
			Collections.shuffle(signals, this.random);
			while (signals.size() > BACKLOG) {
				signals.remove(signals.size() - 1).run();
				mishap();
			}
		}
		signals.forEach(Runnable::run);
		this.herd.start();
		this.engine.awaitAllOver(this.seed, this.herd::recover);
		this.senders.awaitAll();
		this.herd.stopAll();
		assertThat(this.leases.violations()).as("seed %d", this.seed).isEmpty();
		assertThat(this.violations).as("seed %d", this.seed).isEmpty();
		assertThat(this.senders.violations()).as("seed %d", this.seed).isEmpty();
		assertThat(this.engine.jobs()).as("seed %d", this.seed).isZero();
		assertThat(this.engine.finished()).as("seed %d", this.seed).isEqualTo(JOBS);
		this.jobs.forEach((job) -> SIGNALS.forEach((name) -> assertReceivedAsAnswered(job, name)));
		assertThat(this.senders.times()).as("seed %d", this.seed).containsOnlyKeys(Interference.values());
	}

	/** A sender whose job had finished knows nothing. */
	private void assertReceivedAsAnswered(long job, String name) {
		String text = SignalSenders.text(job, name);
		SignalResult answer = this.senders.answer(job, name);
		if (answer != null) {
			assertThat(this.received.get(text)).as("%s, which was %s, with the seed %d", text, answer, this.seed)
				.isEqualTo((answer == SignalResult.STORED) ? text : NOTHING);
		}
	}

	private void run(String payload, JobContext context) throws Exception {
		this.leases.run(context);
		for (String name : SIGNALS) {
			note(context, name, receive(context, name));
			context.step("after " + name, () -> linger(context));
			context.sleep("after " + name, Duration.ofMillis(1 + context.id() % 5));
			if (context.leaseToken() % 7 == 3) {
				throw new IllegalStateException("as planned");
			}
		}
	}

	private Optional<String> receive(JobContext context, String name) {
		try {
			return context.awaitSignal(name, String.class, BRIEF.contains(name) ? Duration.ofMillis(5) : LONG);
		}
		catch (SnoozeJobException ex) {
			Random decisions = new Random(
					this.seed ^ SignalSenders.text(context.id(), name).hashCode() ^ context.leaseToken());
			if (decisions.nextBoolean()) {
				this.senders.interfere(context, name, decisions);
			}
			throw ex;
		}
	}

	/** Takes some time now and then, in which its process may be killed. */
	private void linger(JobContext context) {
		for (long reads = (context.leaseToken() % 4 == 0) ? 20 : 0; reads > 0; reads--) {
			this.engine.jobs();
		}
	}

	/** All calls return the same, and only what was committed. */
	private void note(JobContext context, String name, Optional<String> signal) {
		String text = SignalSenders.text(context.id(), name);
		String now = signal.orElse(NOTHING);
		String before = this.received.putIfAbsent(text, now);
		if (before != null && !before.equals(now)) {
			this.violations.add(text + ": " + before + ", and then " + now);
		}
		if (signal.isPresent() ? !text.equals(now) : !BRIEF.contains(name)) {
			this.violations.add(text + ": " + now);
		}
	}

	private void send(long job, String name) {
		int way = this.random.nextInt(6);
		if (way == 0) {
			sendInVain(job, name);
		}
		if (way == 1) {
			sendInALongTransaction(job, name);
		}
		// the answer of a call whose connection broke is that of the next one
		await().ignoreExceptions().until(() -> this.senders.send(job, name), (result) -> true);
	}

	/** A transaction that is committed after the job may have begun to wait. */
	private void sendInALongTransaction(long job, String name) {
		try (OpenTransaction sender = this.engine.begin()) {
			SignalResult result = this.senders.send(sender, job, name, SignalSenders.text(job, name));
			mishap(job);
			this.herd.startIfNone();
			for (int reads = this.random.nextInt(30); reads > 0; reads--) {
				this.engine.jobs(); // takes some time
			}
			sender.commit();
			this.senders.told(job, name, result);
		}
		catch (Exception ex) {
			// its session was terminated: the next call finds out whether it was
			// committed
		}
	}

	/** A transaction that is rolled back while the job may begin to wait. */
	private void sendInVain(long job, String name) {
		try (OpenTransaction sender = this.engine.begin()) {
			this.senders.send(sender, job, name, "in vain");
			mishap(job);
			sender.rollback();
		}
		catch (Exception ex) {
			// its session was terminated, which rolls it back as well
		}
	}

	private void mishap() {
		mishap(NO_JOB);
	}

	/**
	 * Lets something happen.
	 * @param locked a job that an open transaction of this thread may have locked
	 */
	private void mishap(long locked) {
		switch (this.random.nextInt(24)) {
			case 0 -> this.herd.stop();
			case 1 -> this.herd.start();
			case 2 -> this.herd.kill();
			case 3 -> this.engine.terminateAllSessions();
			case 4 -> this.herd.declareHalfDead();
			case 5 -> this.herd.recover();
			case 6, 7, 8 -> hurry(locked);
			default -> this.herd.startIfNone();
		}
	}

	/**
	 * Some waiting jobs are due at once, look again, and wait on. To change the one that
	 * this thread has locked would wait for this thread.
	 */
	private void hurry(long locked) {
		for (int i = 0; i < 5; i++) {
			long job = this.jobs.get(this.random.nextInt(this.jobs.size()));
			if (job != locked) {
				this.control.reschedule(job, Duration.ZERO);
			}
		}
	}

}
