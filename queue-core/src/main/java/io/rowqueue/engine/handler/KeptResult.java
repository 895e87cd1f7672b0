package io.rowqueue.engine.handler;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

import io.rowqueue.FailJobException;
import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.engine.codec.EncryptingPayloadCodec;
import org.jspecify.annotations.Nullable;

/**
 * The result of a handler, as it is stored. One that cannot be stored is final: the
 * handler has run already.
 */
public final class KeptResult {

	/** Results are read together with the job, and must not be larger than this. */
	static final int MAX_BYTES = 1024 * 1024;

	private static final int MAX_BYTES_PER_CHARACTER = 3;

	private KeptResult() {
	}

	/**
	 * Writes a result.
	 * @param result what the handler has returned
	 * @param declared the type that the handler declares; {@code null}: it does not
	 * @param jobType the type of the job
	 * @param codec writes it
	 * @return the result as JSON, or {@code null} if there is none
	 * @throws FailJobException if it cannot be kept
	 */
	public static @Nullable String write(@Nullable Object result, @Nullable Type declared, String jobType,
			PayloadCodec codec) {
		String json = json(result, declared, jobType, codec);
		if (json != null && json.length() > MAX_BYTES / MAX_BYTES_PER_CHARACTER) {
			int bytes = json.getBytes(StandardCharsets.UTF_8).length;
			if (bytes > MAX_BYTES) {
				throw new FailJobException(
						("The result of a job of type '%s' cannot be kept: it has %s bytes of JSON, but at most %s are allowed."
								+ " Store it elsewhere and return a reference")
							.formatted(jobType, bytes, MAX_BYTES));
			}
		}
		return json;
	}

	private static @Nullable String json(@Nullable Object result, @Nullable Type declared, String jobType,
			PayloadCodec codec) {
		if (result == null) {
			return null;
		}
		try {
			PayloadCodec results = EncryptingPayloadCodec.ofResults(codec);
			return (declared != null) ? results.write(result, declared, jobType) : results.write(result, jobType);
		}
		catch (PayloadConversionException ex) {
			// its message calls the result a payload
			throw new FailJobException("The result of a job of type '%s', a %s, cannot be written as JSON"
				.formatted(jobType, result.getClass().getTypeName()), ex);
		}
	}

}
