package io.pgqueue.sample.job;

import java.time.Instant;

import io.pgqueue.Job;
import io.pgqueue.JobProgress;
import io.pgqueue.JobState;
import org.jspecify.annotations.Nullable;

/**
 * What anybody may know of a job: ids are consecutive numbers, so that the payload, the
 * unique key and the error of a job, which name people, are not for all who ask.
 *
 * @param id the id
 * @param type names the work
 * @param state where the job is in its life
 * @param attempt how many attempts have begun
 * @param runAt when the job is or was due
 * @param finishedAt when the job ended, or {@code null}
 * @param progress what the handler reported last, or {@code null}
 */
record JobStatus(long id, String type, JobState state, int attempt, Instant runAt, @Nullable Instant finishedAt,
		@Nullable JobProgress progress) {

	static JobStatus of(Job job) {
		return new JobStatus(job.id(), job.type(), job.state(), job.attempt(), job.runAt(), job.finishedAt(),
				job.progress());
	}

}
