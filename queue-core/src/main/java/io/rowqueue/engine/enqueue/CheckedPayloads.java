package io.rowqueue.engine.enqueue;

import java.util.function.Function;

import io.rowqueue.JobRequest;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import io.rowqueue.engine.job.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Writes the payloads of schedules and what is enqueued if their jobs fail, and changed
 * payloads; takes those that people have written. All are checked as at an enqueue.
 *
 * @param writer writes them
 * @param types checks them
 * @since 0.1.0
 */
public record CheckedPayloads(PayloadWriter writer,
		DeclaredTypes types) implements Function<JobRequest, @Nullable String> {

	/** Returns those of an application that declares and sets nothing. */
	public static CheckedPayloads ofDefaults() {
		return new CheckedPayloads(new PayloadWriter(JacksonPayloadCodec.ofDefaults(), PayloadWriter.DEFAULT_MAX_SIZE),
				DeclaredTypes.NONE);
	}

	/**
	 * Returns the payload of a request as JSON, {@code null} for none.
	 * @throws PayloadConversionException if no attempt could read it
	 */
	@Override
	public @Nullable String apply(JobRequest request) {
		@Nullable String json = this.writer.payload(request);
		this.types.check(request, json);
		return json;
	}

	/**
	 * Returns the job that a permanent failure enqueues, as it is stored, {@code null}
	 * for none.
	 * @param request the request of the job that may fail
	 * @throws PayloadConversionException if no attempt could read the payload
	 */
	public @Nullable String onFailure(JobRequest request) {
		JobRequest onFailure = request.onFailure();
		if (onFailure == null) {
			return null;
		}
		NewJob job = this.writer.write(onFailure, null);
		this.types.check(onFailure, job.payload());
		return job.forFailure();
	}

	/**
	 * Checks a payload of a job that somebody has written.
	 * @param type the type of the job
	 * @param json the payload, {@code null} for none
	 * @throws PayloadConversionException if it is too large, PostgreSQL cannot store it,
	 * or the handler of this process cannot read it
	 */
	public void check(String type, @Nullable String json) {
		this.writer.check(json, type);
		this.types.check(type, json);
	}

	/**
	 * Checks a payload of a signal that somebody has written.
	 * @param type the type of the job that receives it
	 * @param json the payload, {@code null} for none
	 * @throws PayloadConversionException if it is too large, or PostgreSQL cannot store
	 * it
	 */
	public void checkSignal(String type, @Nullable String json) {
		this.writer.check(json, type);
	}

}
