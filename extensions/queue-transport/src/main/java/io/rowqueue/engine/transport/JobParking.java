package io.rowqueue.engine.transport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.rowqueue.StopReason;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.attempt.AttemptOutcome.Released;
import io.rowqueue.engine.attempt.AttemptOutcome.Succeeded;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.transport.ParkStore.ParkedJob;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.listen.JobListener;
import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.TransportSettings;
import org.slf4j.Logger;

/**
 * Parks the jobs that a broker delivered to this worker and cannot keep: those that run
 * for long, that end in any other way than a plain success, or that need the database
 * while they run. From then on they are leased to this worker like jobs that it has
 * claimed. Thread-safe.
 */
final class JobParking implements CarriedJob.Parking {

	private static final int MAX_JOBS = 1000;

	private static final Logger logger = JobLog.logger();

	private final ParkStore store;

	private final long workerId;

	private final TransportSettings settings;

	private final Consumer<Arrivals> queued;

	private final JobListener listener;

	private final StoreListener parked;

	private final ParkRate rate;

	private final HeldDeliveries held = new HeldDeliveries();

	/** Whether the latest jobs that had to be parked could not be. */
	private volatile boolean failed;

	/**
	 * Creates it.
	 * @param queued notified of jobs that can be claimed
	 * @param listener notified of outcomes that do not count; it must return at once
	 * @param parked notified of parked jobs
	 */
	JobParking(ParkStore store, long workerId, TransportSettings settings, Consumer<Arrivals> queued,
			JobListener listener, StoreListener parked) {
		this.store = store;
		this.workerId = workerId;
		this.settings = settings;
		this.queued = queued;
		this.listener = listener;
		this.parked = parked;
		this.rate = new ParkRate(settings.maxParkedPerSecond(), System::nanoTime);
	}

	/** Whether jobs must be parked that cannot be, or too many were. */
	boolean isBehind() {
		return this.rate.isExceeded() || (this.failed && this.held.isParking());
	}

	/** How long a delivered job may wait or run before it is parked. */
	Duration patience() {
		return this.settings.parkAfter();
	}

	/** The jobs that were delivered and have not ended. */
	HeldDeliveries held() {
		return this.held;
	}

	/** The outcomes are committed. */
	void ended(Collection<AttemptOutcome> outcomes) {
		outcomes.forEach((outcome) -> this.held.remove(outcome.job()));
	}

	/**
	 * A job has ended. Returns whether nothing is to be written about it, since it has
	 * simply succeeded, or was not started: the broker is notified.
	 */
	boolean settle(AttemptOutcome outcome, CarriedJob carried) {
		if (outcome instanceof Released && !outcome.job().hasBegun() && carried.release()) {
			this.held.remove(outcome.job());
			return true;
		}
		if (this.settings.keepHistory() || !isPlainSuccess(outcome) || !carried.succeed()) {
			return false;
		}
		this.held.remove(outcome.job());
		carried.acknowledge();
		return true;
	}

	private static boolean isPlainSuccess(AttemptOutcome outcome) {
		return outcome instanceof Succeeded success && success.result() == null;
	}

	/**
	 * Sees to it that the jobs of outcomes are leased in the database, and returns the
	 * outcomes to write.
	 */
	List<AttemptOutcome> lease(List<AttemptOutcome> outcomes) {
		boolean anyCarried = outcomes.stream().anyMatch((outcome) -> CarriedJob.of(outcome.job()) != null);
		return anyCarried ? leaseCarried(outcomes) : outcomes;
	}

	/**
	 * None of the jobs is parked meanwhile by another thread, see {@link #park}. A batch
	 * comes again if a statement for other outcomes of it has failed: what was settled
	 * the first time is not to be written.
	 */
	private synchronized List<AttemptOutcome> leaseCarried(List<AttemptOutcome> outcomes) {
		List<ActiveJob> carried = new ArrayList<>();
		List<ActiveJob> succeeded = new ArrayList<>();
		Set<ActiveJob> settled = new HashSet<>();
		for (AttemptOutcome outcome : outcomes) {
			CarriedJob job = CarriedJob.of(outcome.job());
			if (job != null && (job.isSettled() || settle(outcome, job))) {
				settled.add(outcome.job());
			}
			else if (job != null && !job.isParked()) {
				boolean simple = this.settings.keepHistory() && isPlainSuccess(outcome) && !job.isParking();
				(simple ? succeeded : carried).add(outcome.job());
			}
		}
		park(carried, "ended");
		settled.addAll(succeed(succeeded));
		return outcomes.stream().filter((outcome) -> !settled.contains(outcome.job()) && counts(outcome)).toList();
	}

	private boolean counts(AttemptOutcome outcome) {
		CarriedJob carried = CarriedJob.of(outcome.job());
		if (carried == null || !carried.isLost()) {
			return true;
		}
		logger.warn("{} {}, but that does not count: another process has taken it over", outcome.job(),
				outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT));
		this.listener.refused(outcome.job().context());
		return false;
	}

	/**
	 * Stores jobs that have succeeded in the history. If the answer is lost, they are
	 * parked the next time, and found to be over or not.
	 */
	private Set<ActiveJob> succeed(List<ActiveJob> jobs) {
		List<ActiveJob> begun = jobs.stream().filter(JobParking::beginParking).toList();
		if (begun.isEmpty()) {
			return Set.of();
		}
		Set<Long> fresh = new HashSet<>(tried(() -> this.store.succeed(this.workerId, rows(begun))));
		Set<ActiveJob> over = new HashSet<>();
		for (ActiveJob job : begun) {
			if (fresh.contains(job.id())) {
				over.add(job);
				this.held.remove(job);
				HeldDeliveries.carried(job).stored();
				HeldDeliveries.carried(job).acknowledge();
			}
			else {
				lose(job);
			}
		}
		return over;
	}

	@Override
	public void park(ActiveJob job) {
		park(List.of(job), "step");
	}

	/**
	 * Parks the jobs that have been here for too long, or whose handlers report progress.
	 */
	void parkOld() {
		park(this.held.old(this.settings.parkAfter(), MAX_JOBS), "long");
	}

	/**
	 * Parks jobs as leased to this worker. One thread at a time, as long as it decides
	 * about a job: another one would take the rows of this one for those of another
	 * process.
	 */
	private synchronized void park(List<ActiveJob> jobs, String reason) {
		List<ActiveJob> begun = jobs.stream().filter(JobParking::beginParking).toList();
		if (begun.isEmpty()) {
			return;
		}
		Set<Long> own = tried(() -> leased(begun));
		for (ActiveJob job : begun) {
			if (own.contains(job.id())) {
				HeldDeliveries.carried(job).parked();
				HeldDeliveries.carried(job).acknowledge();
				this.parked.parked(job.queue(), job.type(), reason);
			}
			else {
				lose(job);
			}
		}
		this.rate.add(begun.size());
	}

	/** What was not new may have been parked by a statement whose answer was lost. */
	private Set<Long> leased(List<ActiveJob> jobs) {
		Set<Long> own = new HashSet<>(SafeParking.park(rows(jobs), (rows) -> this.store.lease(this.workerId, rows)));
		List<Lease> others = jobs.stream()
			.filter((job) -> !own.contains(job.id()))
			.map((job) -> job.job().lease())
			.toList();
		if (!others.isEmpty()) {
			own.addAll(this.store.held(this.workerId, others));
		}
		return own;
	}

	/** Another process has it: what it does here does not count. */
	private void lose(ActiveJob job) {
		this.held.remove(job);
		HeldDeliveries.carried(job).lost();
		job.interrupt(StopReason.LEASE_LOST);
		HeldDeliveries.carried(job).acknowledge();
	}

	/**
	 * Parks jobs that this worker does not run.
	 * @param deliveries jobs that were just delivered
	 */
	void queue(Collection<Delivery> deliveries, String reason) {
		Map<Long, ParkedJob> rows = new LinkedHashMap<>();
		for (Delivery delivery : deliveries) {
			// the lease that the next claim gives out has the number of the delivery
			rows.merge(delivery.message().id(), new ParkedJob(delivery.message(), delivery.count() - 1),
					(one, other) -> (one.lease() >= other.lease()) ? one : other);
		}
		Set<Long> fresh = new HashSet<>(tried(() -> SafeParking.park(List.copyOf(rows.values()), this.store::queue)));
		Arrivals.Builder arrivals = new Arrivals.Builder();
		rows.values().stream().map(ParkedJob::message).filter((job) -> fresh.contains(job.id())).forEach((job) -> {
			arrivals.add(job.queue());
			this.parked.parked(job.queue(), job.type(), reason);
		});
		this.queued.accept(arrivals.build());
		this.rate.add(rows.size());
	}

	private <T> T tried(Supplier<T> statement) {
		try {
			T result = statement.get();
			this.failed = false;
			return result;
		}
		catch (RuntimeException ex) {
			this.failed = true;
			throw ex;
		}
	}

	private static boolean beginParking(ActiveJob job) {
		return HeldDeliveries.carried(job).beginParking();
	}

	private static List<ParkedJob> rows(List<ActiveJob> jobs) {
		return jobs.stream()
			.map((job) -> new ParkedJob(HeldDeliveries.carried(job).message(), job.job().lease().token()))
			.toList();
	}

}
