package io.rowqueue.engine.signal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

import io.rowqueue.CancelJobException;
import io.rowqueue.FailJobException;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.postgres.Dose;
import io.rowqueue.step.JobOutcome;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.LeaseCheck;
import io.rowqueue.testing.ProcessHerd;
import io.rowqueue.testing.Seed;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers that enqueue others, wait for them, some only for a moment, and enqueue the
 * next ones; some of these wait in turn. The others succeed, fail, cancel themselves and
 * are cancelled, waiting jobs are called before their time, and processes start, stop,
 * are killed and given up at random.
 */
class RandomAwaitTests {

	private static final int JOBS = Dose.of(5, 60);

	private static final int ROUNDS = 3;

	private static final List<String> ENDS = List.of("work", "fail", "work", "cancel");

	/** A killed process uses up an attempt. */
	private static final int MAX_ATTEMPTS = 1000;

	private final long seed = Seed.of(this);

	private final Random random = new Random(this.seed);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private final List<Long> parents = Collections.synchronizedList(new ArrayList<>());

	private final List<Long> children = Collections.synchronizedList(new ArrayList<>());

	/** A job that has failed, and that a wait has returned as such, may be among them. */
	private final Set<Long> cancelled = new HashSet<>();

	/** What each wait has returned first. */
	private final Map<String, List<JobOutcome>> seen = new ConcurrentHashMap<>();

	private final LeaseCheck leases = new LeaseCheck();

	private final List<String> violations = Collections.synchronizedList(new ArrayList<>());

	private final ProcessHerd herd = new ProcessHerd(this.engine, this.random, MAX_ATTEMPTS,
			(process) -> process.retry((job, error) -> Duration.ofMillis(1))
				.handle("waits", this::run)
				.handle("child", this::child));

	@Test
	void eachWaitEndsOnceWithWhatHasBecomeOfItsJobs() {
		this.herd.start();
		for (int i = 0; i < JOBS; i++) {
			this.parents.add(await().ignoreExceptions()
				.until(() -> this.engine.enqueue(JobRequest.of("waits", "outer")), (id) -> id > 0));
			for (int j = 0; j < 4; j++) {
				mishap();
			}
		}
		this.herd.start();
		this.engine.awaitAllOver(this.seed, this.herd::recover);
		await("no dependency is left, seed " + this.seed).until(() -> this.engine.count("job_dependency") == 0);
		this.herd.stopAll();
		assertThat(this.leases.violations()).as("seed %d", this.seed).isEmpty();
		assertThat(this.violations).as("seed %d", this.seed).isEmpty();
		this.seen.forEach((wait, outcomes) -> outcomes.stream()
			.filter(JobOutcome::hasEnded)
			.forEach((outcome) -> assertThat(this.engine.job(outcome.id()).state())
				.as("%s, job %s, seed %d", wait, outcome.id(), this.seed)
				.isIn(possibleStates(outcome))));
		assertThat(this.seen.values().stream().flatMap(List::stream).map(JobOutcome::state)).as("seed %d", this.seed)
			.contains(JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED);
		this.parents.forEach((parent) -> assertThat(this.seen).as("seed %d", this.seed)
			.containsKeys(round(parent, 0), round(parent, 1), round(parent, 2)));
	}

	private Set<JobState> possibleStates(JobOutcome outcome) {
		boolean canChange = outcome.state() == JobState.FAILED && this.cancelled.contains(outcome.id());
		return canChange ? EnumSet.of(JobState.FAILED, JobState.CANCELLED) : EnumSet.of(outcome.state());
	}

	private void run(String payload, JobContext context) throws Exception {
		this.leases.run(context);
		for (int round = 0; round < ROUNDS; round++) {
			long[] ids = context.step("enqueue " + round, () -> enqueue(context, "outer".equals(payload)),
					long[].class);
			boolean brief = (context.id() + round) % 3 == 0;
			List<JobOutcome> outcomes = receive(context, round, brief, ids);
			List<JobOutcome> before = this.seen.putIfAbsent(round(context.id(), round), outcomes);
			if (before != null && !before.equals(outcomes)) {
				this.violations.add(round(context.id(), round) + ": " + before + ", and then " + outcomes);
			}
			if (!brief && !outcomes.stream().allMatch(JobOutcome::hasEnded)) {
				this.violations.add(round(context.id(), round) + " has ended too early: " + outcomes);
			}
			if (context.leaseToken() % 7 == 3) {
				throw new IllegalStateException("as planned");
			}
		}
	}

	/** It lingers now and then before it waits, while its jobs end. */
	private List<JobOutcome> receive(JobContext context, int round, boolean brief, long... ids) {
		try {
			return context.awaitJobs("round " + round, brief ? Duration.ofMillis(5) : Duration.ofHours(1), ids);
		}
		catch (SnoozeJobException ex) {
			linger((int) (context.id() + context.leaseToken()) % 4 * 5);
			throw ex;
		}
	}

	private void child(String payload, JobContext context) {
		this.leases.run(context);
		linger((int) (context.id() % 20));
		switch (payload) {
			case "fail" -> throw new FailJobException("as planned");
			case "cancel" -> throw new CancelJobException("as planned");
			default -> assertThat(payload).isEqualTo("work");
		}
	}

	/** Of an attempt that dies before its step is recorded, nobody awaits them. */
	private long[] enqueue(JobContext context, boolean outer) {
		long[] ids = IntStream.range(0, 3)
			.mapToObj((i) -> JobRequest.of("child", ENDS.get((int) ((context.id() + context.leaseToken() + i) % 4))))
			.mapToLong(this.engine::enqueue)
			.toArray();
		this.children.add(ids[0]);
		if (outer) {
			ids[1] = this.engine.enqueue(JobRequest.of("waits", "inner"));
		}
		return ids;
	}

	/** Takes some time, in which its process may be killed. */
	private void linger(int reads) {
		for (int i = 0; i < reads; i++) {
			this.engine.jobs();
		}
	}

	private void mishap() {
		switch (this.random.nextInt(16)) {
			case 0 -> this.herd.stop();
			case 1 -> this.herd.start();
			case 2 -> this.herd.kill();
			case 3 -> this.engine.terminateAllSessions();
			case 4 -> this.herd.declareHalfDead();
			case 5 -> this.herd.recover();
			case 6, 7, 8 -> anyOf(this.parents, (id) -> this.engine.control().reschedule(id, Duration.ZERO));
			case 9, 10 -> anyOf(this.children, this::cancel);
			default -> this.herd.startIfNone();
		}
	}

	private void anyOf(List<Long> jobs, LongFunction<Object> change) {
		if (!jobs.isEmpty()) {
			long id = jobs.get(this.random.nextInt(jobs.size()));
			await().ignoreExceptions().until(() -> change.apply(id) != null);
		}
	}

	private Object cancel(long id) {
		this.cancelled.add(id);
		return this.engine.control().cancel(id);
	}

	private static String round(long job, int round) {
		return "job " + job + ", round " + round;
	}

}
