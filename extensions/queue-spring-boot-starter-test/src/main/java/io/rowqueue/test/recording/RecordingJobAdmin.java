package io.rowqueue.test.recording;

import java.time.Duration;
import java.util.Optional;

import io.rowqueue.Job;
import io.rowqueue.JobType;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.JobReference;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.database.DisabledDataSource;
import io.rowqueue.engine.wakeup.WakeUps;

/**
 * Finds and changes the jobs of a {@link RecordingJobQueue}, so that code that cancels or
 * moves its jobs works with it. All other methods fail, as without recording.
 */
final class RecordingJobAdmin extends DefaultJobAdmin {

	private final RecordedJobs recorded;

	RecordingJobAdmin(RecordedJobs recorded) {
		super(DisabledDataSource.DATABASE, WakeUps.ofThisProcess(DisabledDataSource.DATABASE));
		this.recorded = recorded;
	}

	@Override
	public JobReference job(long id) {
		return new RecordedJobReference(this.recorded, () -> this.recorded.find(id));
	}

	@Override
	public JobReference job(String uniqueKey) {
		return new RecordedJobReference(this.recorded, () -> find(uniqueKey));
	}

	@Override
	public JobReference job(JobType<?> type, String uniqueKey) {
		return new RecordedJobReference(this.recorded,
				() -> find(uniqueKey).filter((job) -> job.type().equals(type.name())));
	}

	private Optional<Job> find(String uniqueKey) {
		return Optional.ofNullable(this.recorded.idOf(uniqueKey)).flatMap(this.recorded::find);
	}

	@Override
	public CancelResult cancel(long id) {
		return job(id).cancel();
	}

	@Override
	public boolean reschedule(long id, Duration delay) {
		return job(id).reschedule(delay);
	}

	@Override
	public boolean prioritize(long id, int priority) {
		return job(id).prioritize(priority);
	}

}
