package io.rowqueue.engine.attempt;

import java.lang.reflect.Type;
import java.util.Optional;
import java.util.OptionalLong;

import io.rowqueue.PayloadCodec;
import io.rowqueue.engine.codec.EncryptingPayloadCodec;
import io.rowqueue.engine.job.BatchStore;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.job.JobStore.FlowJobResult;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** What a job's handler can ask about other jobs. */
final class JobQueries {

	private final JobStore store;

	private final BatchStore batches;

	private final PayloadCodec codec;

	JobQueries(JobStore store, BatchStore batches, PayloadCodec codec) {
		this.store = store;
		this.batches = batches;
		this.codec = EncryptingPayloadCodec.ofResults(codec);
	}

	/** Of another job in the flow of a job. */
	<T> Optional<T> ofFlowJob(long jobId, String name, Type type) {
		FlowJobResult result = this.store.resultOfFlowJob(jobId, name);
		Assert.isTrue(result.known(), () -> "Job " + jobId + " is not in a flow with a job '" + name + "'");
		return read(result.json(), type, "the flow's job '" + name + "'");
	}

	OptionalLong batchOf(long jobId) {
		return this.batches.ofJob(jobId);
	}

	OptionalLong flowOf(long jobId) {
		return this.store.flowOf(jobId);
	}

	/** Of any job. */
	<T> Optional<T> ofJob(long jobId, Class<T> type) {
		return read(this.store.resultOf(jobId).orElse(null), type, "job " + jobId);
	}

	private <T> Optional<T> read(@Nullable String json, Type type, String whose) {
		if (json == null) {
			return Optional.empty();
		}
		@SuppressWarnings("unchecked") // the type is that of T
		T result = (T) this.codec.read(json, type, "result of " + whose);
		return Optional.ofNullable(result);
	}

}
