package io.rowqueue.engine.handler;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.CoalescedJob;
import io.rowqueue.JobContext;
import io.rowqueue.PayloadCodec;
import org.jspecify.annotations.Nullable;

/**
 * Creates the list for a handler that runs several jobs in one call.
 *
 * @param jobType the type of the jobs
 * @param payloadType the type that payloads are mapped to
 * @param payloadsOnly whether the list contains payloads, and not jobs
 * @param codec reads the payloads
 */
public record Coalescer(String jobType, Type payloadType, boolean payloadsOnly, PayloadCodec codec) {

	/**
	 * Checks that a payload can be mapped.
	 * @param payload the payload as JSON, or {@code null} if the job has none
	 * @throws io.rowqueue.PayloadConversionException if it cannot be mapped
	 */
	public void checkPayload(@Nullable String payload) {
		this.codec.read(payload, this.payloadType, this.jobType);
	}

	/**
	 * Returns the list for one call. A payload that cannot be mapped fails only its own
	 * job, which is left out.
	 * @param jobs the jobs
	 */
	public List<@Nullable Object> read(List<PendingJob> jobs) {
		List<@Nullable Object> list = new ArrayList<>(jobs.size());
		for (PendingJob job : jobs) {
			try {
				Object payload = this.codec.read(job.payload(), this.payloadType, this.jobType);
				list.add(this.payloadsOnly ? payload : new ReadJob(payload, job));
			}
			catch (RuntimeException ex) {
				job.fail().accept(ex);
			}
		}
		return list;
	}

	/** A job with its mapped payload. */
	private record ReadJob(@Nullable Object payload, PendingJob job) implements CoalescedJob<Object> {

		@Override
		public JobContext context() {
			return this.job.context();
		}

		@Override
		public void fail(Throwable error) {
			this.job.fail().accept(error);
		}

		@Override
		public String toString() {
			return this.job.context().toString();
		}

	}

}
