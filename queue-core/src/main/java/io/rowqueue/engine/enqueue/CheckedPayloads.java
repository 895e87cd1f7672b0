package io.rowqueue.engine.enqueue;

import java.util.function.Function;

import io.rowqueue.JobRequest;
import io.rowqueue.PayloadConversionException;
import org.jspecify.annotations.Nullable;

/**
 * Writes payloads of schedules and changed ones, which are checked as at an enqueue.
 *
 * @param writer writes them
 * @param types checks them
 * @since 0.1.0
 */
public record CheckedPayloads(PayloadWriter writer,
		DeclaredTypes types) implements Function<JobRequest, @Nullable String> {

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

}
