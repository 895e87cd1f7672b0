package io.pgqueue.maintenance;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

import io.pgqueue.store.Admission;
import io.pgqueue.store.LimitStore;
import io.pgqueue.support.Every;
import io.pgqueue.support.Rest;
import io.pgqueue.wakeup.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * Lets jobs with limit keys in: those that are due, and those that nobody let in when a
 * place became free, because the process died whose turn it was.
 */
public final class AdmitTask extends PeriodicTask {

	private static final Duration INTERVAL = Duration.ofMillis(400);

	/** If a pass over all waiting keys takes long, it is less often. */
	private static final Duration PASS_EVERY = Duration.ofSeconds(1);

	private static final Duration FORGET_EVERY = Duration.ofMinutes(1);

	/**
	 * If very many are due at once, other tasks get their turn after so many statements,
	 * or after this time if they take long.
	 */
	private static final int MOST_BATCHES = 20;

	private static final Duration LONGEST_RUN = Duration.ofMillis(250);

	private final LimitStore store;

	private final WakeUps wakeUps;

	private final Every forget = new Every(FORGET_EVERY);

	private Every nextPass = new Every(Duration.ZERO);

	/** The last key that the pass has looked at; empty: none. */
	private String passedUpTo = "";

	/** How long the runs of the pass took together. */
	private Duration passTook = Duration.ZERO;

	private String forgottenUpTo = "";

	/**
	 * Creates the task.
	 * @param store lets them in
	 * @param wakeUps told of the jobs
	 */
	public AdmitTask(LimitStore store, WakeUps wakeUps) {
		super("admit", INTERVAL, LimitStore.ADMISSIONS);
		this.store = store;
		this.wakeUps = wakeUps;
	}

	@Override
	public void run() {
		long end = System.nanoTime() + LONGEST_RUN.toNanos();
		Admission admission;
		int batches = 0;
		do {
			admission = this.store.admitDue();
			this.wakeUps.jobsArrived(admission.queues());
		}
		while (admission.unfinished() && ++batches < MOST_BATCHES && !isOver(end));
		if (this.nextPass.remaining().isZero()) {
			pass(end);
		}
		if (this.forget.isDue() || !this.forgottenUpTo.isEmpty()) {
			this.forgottenUpTo = over(this.forgottenUpTo, end, this.store::forgetKeys);
		}
	}

	/** Over all jobs and keys that wait; goes on where the previous run has left it. */
	private void pass(long end) {
		long begin = System.nanoTime();
		if (this.passedUpTo.isEmpty()) {
			this.passTook = Duration.ZERO;
			this.wakeUps.jobsArrived(this.store.admitDue(true).queues());
		}
		this.passedUpTo = over(this.passedUpTo, end, (after) -> {
			Set<String> queues = new LinkedHashSet<>();
			@Nullable String last = this.store.admitForgotten(after, queues);
			this.wakeUps.jobsArrived(queues);
			return last;
		});
		this.passTook = this.passTook.plusNanos(System.nanoTime() - begin);
		if (this.passedUpTo.isEmpty()) {
			this.nextPass = new Every(Rest.TWENTYFOLD.after(this.passTook, PASS_EVERY));
		}
	}

	/** Returns the last key that was looked at; an empty one: there are no more. */
	private static String over(String from, long end, KeysAfter step) {
		String after = from;
		int batches = 0;
		do {
			@Nullable String last = step.take(after);
			if (last == null) {
				return "";
			}
			after = last;
		}
		while (++batches < MOST_BATCHES && !isOver(end));
		return after;
	}

	private static boolean isOver(long end) {
		return System.nanoTime() - end > 0;
	}

	/** Looks at some keys. */
	@FunctionalInterface
	private interface KeysAfter {

		/** Returns the last of them; {@code null}: there are no more. */
		@Nullable String take(String after);

	}

}
