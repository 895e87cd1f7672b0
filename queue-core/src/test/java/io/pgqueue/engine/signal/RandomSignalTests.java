package io.pgqueue.engine.signal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

import io.pgqueue.JobContext;
import io.pgqueue.JobRequest;
import io.pgqueue.SignalResult;
import io.pgqueue.testing.Engine;
import io.pgqueue.testing.LeaseCheck;
import io.pgqueue.testing.OpenTransaction;
import io.pgqueue.testing.ProcessHerd;
import io.pgqueue.testing.Seed;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers that wait for one signal after the other and sleep in between, while signals
 * are sent at any time, also in transactions that take long or are rolled back, and
 * processes start, stop, are killed and given up at random.
 */
class RandomSignalTests {

	private static final int JOBS = 60;

	private static final List<String> SIGNALS = List.of("first", "second", "hurried");

	/** A killed process uses up an attempt. */
	private static final int MAX_ATTEMPTS = 1000;

	private static final Duration LONG = Duration.ofHours(1);

	private static final String NOTHING = "nothing";

	private final long seed = Seed.of(this);

	private final Random random = new Random(this.seed);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	/** What the first call for a signal has returned. */
	private final Map<String, String> received = new ConcurrentHashMap<>();

	private final Map<String, SignalResult> sent = new ConcurrentHashMap<>();

	private final LeaseCheck leases = new LeaseCheck();

	private final List<String> violations = Collections.synchronizedList(new ArrayList<>());

	private final ProcessHerd herd = new ProcessHerd(this.engine, this.random, MAX_ATTEMPTS,
			(process) -> process.retry((job, error) -> Duration.ofMillis(1)).handle("waits", this::run));

	@Test
	void eachSignalIsReceivedByTheProgressOfItsJobOrTooLate() throws Exception {
		this.herd.start();
		this.herd.start();
		List<Long> jobs = new ArrayList<>();
		List<Runnable> signals = new ArrayList<>();
		for (int i = 0; i < JOBS; i++) {
			long job = await().ignoreExceptions()
				.until(() -> this.engine.enqueue(JobRequest.of("waits")), (id) -> id > 0);
			jobs.add(job);
			SIGNALS.forEach((name) -> signals.add(() -> send(job, name)));
			Collections.shuffle(signals, this.random);
			while (signals.size() > 20) {
				signals.remove(signals.size() - 1).run();
				mishap();
			}
		}
		signals.forEach(Runnable::run);
		this.herd.start();
		this.engine.awaitAllOver(this.seed, this.herd::recover);
		this.herd.stopAll();
		assertThat(this.leases.violations()).as("seed %d", this.seed).isEmpty();
		assertThat(this.violations).as("seed %d", this.seed).isEmpty();
		assertThat(this.engine.jobs()).as("seed %d", this.seed).isZero();
		assertThat(this.engine.finished()).as("seed %d", this.seed).isEqualTo(JOBS);
		for (long job : jobs) {
			for (String name : SIGNALS) {
				String key = key(job, name);
				assertThat(this.received.get(key))
					.as("%s, which was %s, with the seed %d", key, this.sent.get(key), this.seed)
					.isEqualTo((this.sent.get(key) == SignalResult.STORED) ? key : NOTHING);
			}
		}
	}

	private void run(String payload, JobContext context) throws Exception {
		this.leases.run(context);
		for (String name : SIGNALS) {
			Duration timeout = name.equals("hurried") ? Duration.ofMillis(5) : LONG;
			note(key(context.id(), name), context.awaitSignal(name, String.class, timeout));
			context.step("after " + name, () -> {
			});
			context.sleep("after " + name, Duration.ofMillis(1 + context.id() % 5));
			if (context.leaseToken() % 7 == 3) {
				throw new IllegalStateException("as planned");
			}
		}
	}

	/** All calls return the same. */
	private void note(String key, Optional<String> signal) {
		String before = this.received.putIfAbsent(key, signal.orElse(NOTHING));
		if (before != null && !before.equals(signal.orElse(NOTHING))) {
			this.violations.add(key + ": " + before + ", and then " + signal);
		}
	}

	private void send(long job, String name) {
		String key = key(job, name);
		int way = this.random.nextInt(6);
		if (way == 0) {
			sendInVain(job, name);
		}
		if (way == 1) {
			sendInALongTransaction(job, name);
		}
		// the answer of a call whose connection broke is that of the next one
		SignalResult result = await().ignoreExceptions()
			.until(() -> this.engine.queue().signal(job, name, key), (sending) -> true);
		if (result == SignalResult.NO_SUCH_JOB) {
			// it has finished, without this signal or with an earlier call
			result = key.equals(this.received.get(key)) ? SignalResult.STORED : SignalResult.TOO_LATE;
		}
		this.sent.put(key, (result == SignalResult.ALREADY_SENT) ? SignalResult.STORED : result);
	}

	/** A transaction that is committed after the job may have begun to wait. */
	private void sendInALongTransaction(long job, String name) {
		try (OpenTransaction sender = this.engine.begin()) {
			sender.execute("select pgqueue.signal(" + job + ", '" + name + "', '\"" + key(job, name) + "\"')");
			mishap();
			this.herd.startIfNone();
			for (int reads = this.random.nextInt(30); reads > 0; reads--) {
				this.engine.jobs(); // takes some time
			}
			sender.commit();
		}
		catch (Exception ex) {
			// its session was terminated: the next call finds out whether it was
			// committed
		}
	}

	/** A transaction that is rolled back while the job may begin to wait. */
	private void sendInVain(long job, String name) {
		try (OpenTransaction sender = this.engine.begin()) {
			sender.execute("select pgqueue.signal(" + job + ", '" + name + "', '\"in vain\"')");
			mishap();
			sender.rollback();
		}
		catch (Exception ex) {
			// its session was terminated, which rolls it back as well
			this.sent.remove(key(job, name));
		}
	}

	private void mishap() {
		switch (this.random.nextInt(24)) {
			case 0 -> this.herd.stop();
			case 1 -> this.herd.start();
			case 2 -> this.herd.kill();
			case 3 -> this.engine.terminateAllSessions();
			case 4 -> this.herd.declareHalfDead();
			case 5 -> this.herd.recover();
			default -> this.herd.startIfNone();
		}
	}

	private static String key(long job, String name) {
		return job + " " + name;
	}

}
