package io.rowqueue.sample.job;

import java.time.Instant;

import io.rowqueue.Job;
import io.rowqueue.JobProgress;
import io.rowqueue.JobState;
import org.jspecify.annotations.Nullable;

/**
 * The public data of a job. Ids are consecutive numbers and can be guessed, so the
 * payload, the unique key and the error of a job, which contain personal data, are not
 * included.
 *
 * @param id the id
 * @param type the type
 * @param state the state
 * @param attempt the number of attempts that have started
 * @param runAt when the job is or was due
 * @param finishedAt when the job ended, or {@code null}
 * @param progress the latest progress that the handler reported, or {@code null}
 */
record JobStatus(long id, String type, JobState state, int attempt, Instant runAt, @Nullable Instant finishedAt,
		@Nullable JobProgress progress) {

	static JobStatus of(Job job) {
		return new JobStatus(job.id(), job.type(), job.state(), job.attempt(), job.runAt(), job.finishedAt(),
				job.progress());
	}

}
