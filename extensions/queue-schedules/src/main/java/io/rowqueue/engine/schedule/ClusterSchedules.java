package io.rowqueue.engine.schedule;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.rowqueue.engine.enqueue.CheckedPayloads;
import io.rowqueue.engine.schedule.BackfillStatement.Filled;
import io.rowqueue.engine.schedule.BackfillStatement.Seen;
import io.rowqueue.engine.schedule.ScheduleStore.ScheduledJob;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.schedule.Backfill;
import io.rowqueue.schedule.BackfillRange;
import io.rowqueue.schedule.Occurrences;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.ScheduleStatus;
import io.rowqueue.schedule.ScheduleStatus.Source;
import io.rowqueue.schedule.ScheduledRun;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.schedule.Validity;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** The default implementation of {@link Schedules}. */
public final class ClusterSchedules implements Schedules {

	private final Supplier<ScheduleStore> stores;

	private final CheckedPayloads payloads;

	private final Consumer<Arrivals> arrived;

	/**
	 * Creates schedules whose statements are all executed in the same way.
	 * @param store the store
	 * @param payloads writes the payloads of jobs
	 * @param wakeUps is notified of triggered jobs
	 */
	public ClusterSchedules(ScheduleStore store, CheckedPayloads payloads, WakeUps wakeUps) {
		this(() -> store, payloads, wakeUps::jobsArrived);
	}

	/**
	 * Creates the schedules.
	 * @param stores returns the store for a call: one that takes part in the caller's
	 * transaction, or one that commits each statement
	 * @param payloads writes the payloads of jobs
	 * @param arrived takes triggered jobs, and notifies workers of them after the commit
	 * of the caller's transaction
	 */
	public ClusterSchedules(Supplier<ScheduleStore> stores, CheckedPayloads payloads, Consumer<Arrivals> arrived) {
		this.stores = stores;
		this.payloads = payloads;
		this.arrived = arrived;
	}

	@Override
	public void put(Schedule schedule) {
		ScheduleStore store = this.stores.get();
		Occurrences occurrences = store.occurrences(schedule);
		Instant first = occurrences.next(store.now());
		Assert.isTrue(first != null,
				() -> "schedule '" + schedule.name() + "' is never due: " + schedule.rhythm()
						+ " has no further due time"
						+ (schedule.validity().equals(Validity.ALWAYS) ? "" : " while it is valid"));
		store.put(new NewSchedule(schedule, this.payloads.apply(schedule.job()),
				this.payloads.onFailure(schedule.job()), Source.CODE, first));
		this.arrived.accept(Arrivals.DEFERRED); // it may be due soon
	}

	@Override
	public boolean pause(String name, @Nullable String reason) {
		return this.stores.get().pause(name, reason);
	}

	@Override
	public boolean resume(String name) {
		ScheduleStore store = this.stores.get();
		Optional<ScheduleStatus> schedule = store.find(name);
		while (schedule.filter((each) -> each.pausedAt() != null).isPresent()) {
			ScheduleStatus paused = schedule.get();
			if (store.resume(name, paused.next(store.now()), paused.nextRunAt())) {
				this.arrived.accept(Arrivals.DEFERRED);
				return true;
			}
			schedule = store.find(name); // it was changed meanwhile
		}
		return false;
	}

	@Override
	public Optional<Long> trigger(String name) {
		Optional<ScheduledJob> job = this.stores.get().trigger(name);
		job.ifPresent((enqueued) -> this.arrived.accept(Arrivals.of(enqueued.queue(), enqueued.limited())));
		return job.map(ScheduledJob::jobId);
	}

	@Override
	public Optional<Backfill> previewBackfill(String name, BackfillRange range) {
		BackfillStatement statement = this.stores.get().backfill();
		return statement.read(name).map((schedule) -> {
			List<Instant> times = BackfillTimes.of(schedule, range);
			return backfill(times, statement.count(schedule, times, range.again()));
		});
	}

	@Override
	public Optional<Backfill> backfill(String name, BackfillRange range) {
		BackfillStatement statement = this.stores.get().backfill();
		Optional<Seen> schedule = statement.read(name);
		while (schedule.isPresent()) {
			List<Instant> times = BackfillTimes.of(schedule.get(), range);
			Optional<Filled> filled = statement.enqueue(schedule.get(), times, range.again());
			if (filled.isPresent()) {
				this.arrived.accept(filled.get().arrivals());
				return Optional.of(backfill(times, filled.get().jobs()));
			}
			schedule = statement.read(name);
		}
		return Optional.empty();
	}

	private static Backfill backfill(List<Instant> times, int jobs) {
		return times.isEmpty() ? new Backfill(0, 0, null, null)
				: new Backfill(times.size(), jobs, times.get(0), times.get(times.size() - 1));
	}

	@Override
	public List<ScheduledRun> runs(String name, int limit) {
		Assert.isTrue(limit > 0 && limit <= MAX_RUNS, () -> "limit must be from 1 to " + MAX_RUNS + ", not " + limit);
		return this.stores.get().latestRuns(name, limit);
	}

	@Override
	public boolean remove(String name) {
		return this.stores.get().remove(name);
	}

	@Override
	public Optional<ScheduleStatus> find(String name) {
		return this.stores.get().find(name);
	}

	@Override
	public List<ScheduleStatus> list() {
		return this.stores.get().list();
	}

}
