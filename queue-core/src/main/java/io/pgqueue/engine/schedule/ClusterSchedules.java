package io.pgqueue.engine.schedule;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import io.pgqueue.JobRequest;
import io.pgqueue.engine.schedule.ScheduleStore.ScheduledJob;
import io.pgqueue.engine.wakeup.Arrivals;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.schedule.Schedule;
import io.pgqueue.schedule.ScheduleStatus;
import io.pgqueue.schedule.ScheduleStatus.Source;
import io.pgqueue.schedule.Schedules;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** The default implementation of {@link Schedules}. */
public final class ClusterSchedules implements Schedules {

	private final ScheduleStore store;

	private final Function<JobRequest, @Nullable String> payloads;

	private final WakeUps wakeUps;

	/**
	 * Creates the schedules.
	 * @param store the store, which takes part in the caller's transaction
	 * @param payloads writes the payload of a job as JSON
	 * @param wakeUps is notified of triggered jobs
	 */
	public ClusterSchedules(ScheduleStore store, Function<JobRequest, @Nullable String> payloads, WakeUps wakeUps) {
		this.store = store;
		this.payloads = payloads;
		this.wakeUps = wakeUps;
	}

	@Override
	public void put(Schedule schedule) {
		this.store.put(new NewSchedule(schedule, this.payloads.apply(schedule.job()), Source.CODE,
				first(schedule, this.store.now())));
	}

	static Instant first(Schedule schedule, Instant now) {
		Instant first = schedule.rhythm().next(now);
		Assert.isTrue(first != null, () -> "schedule '" + schedule.name() + "' is never due: " + schedule.rhythm()
				+ " has no further due time");
		return first;
	}

	@Override
	public boolean pause(String name, @Nullable String reason) {
		return this.store.pause(name, reason);
	}

	@Override
	public boolean resume(String name) {
		return this.store.find(name)
			.filter((schedule) -> this.store.resume(name, schedule.rhythm().next(this.store.now())))
			.isPresent();
	}

	@Override
	public Optional<Long> trigger(String name) {
		Optional<ScheduledJob> job = this.store.trigger(name);
		job.ifPresent((enqueued) -> this.wakeUps.jobsArrived(Arrivals.of(enqueued.queue(), enqueued.limited())));
		return job.map(ScheduledJob::jobId);
	}

	@Override
	public boolean remove(String name) {
		return this.store.remove(name);
	}

	@Override
	public Optional<ScheduleStatus> find(String name) {
		return this.store.find(name);
	}

	@Override
	public List<ScheduleStatus> list() {
		return this.store.list();
	}

}
