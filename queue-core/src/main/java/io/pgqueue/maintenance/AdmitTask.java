package io.pgqueue.maintenance;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Objects;
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

	private final LimitStore store;

	private final WakeUps wakeUps;

	private final Every forget = new Every(FORGET_EVERY);

	private Every nextPass = new Every(Duration.ZERO);

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
		Admission admission;
		do {
			admission = this.store.admitDue();
			this.wakeUps.jobsArrived(admission.queues());
		}
		while (admission.unfinished());
		if (this.nextPass.remaining().isZero()) {
			long begin = System.nanoTime();
			this.wakeUps.jobsArrived(this.store.admitDue(true).queues());
			passOverAllKeys();
			Duration taken = Duration.ofNanos(System.nanoTime() - begin);
			this.nextPass = new Every(Rest.TWENTYFOLD.after(taken, PASS_EVERY));
		}
		if (this.forget.isDue()) {
			forgetKeys();
		}
	}

	private void passOverAllKeys() {
		Set<String> queues = new LinkedHashSet<>();
		@Nullable String last = "";
		while (last != null) {
			last = this.store.admitForgotten(Objects.requireNonNull(last), queues);
			this.wakeUps.jobsArrived(queues);
			queues.clear();
		}
	}

	private void forgetKeys() {
		@Nullable String last = "";
		while (last != null) {
			last = this.store.forgetKeys(Objects.requireNonNull(last));
		}
	}

}
