package io.rowqueue.engine.enqueue;

import java.util.LinkedHashMap;
import java.util.Map;

import io.rowqueue.DuplicatePolicy.Merge;
import io.rowqueue.JobRequest;
import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.engine.codec.EncryptingPayloadCodec;
import io.rowqueue.engine.codec.JsonTexts;
import io.rowqueue.engine.codec.PayloadKey;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.job.NewJob.PayloadMerge;
import io.rowqueue.engine.support.FairnessKey;
import io.rowqueue.engine.support.HeaderNames;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * Converts requests to jobs to store. A payload that is too large, or that PostgreSQL
 * cannot store, is rejected before anything is sent.
 */
public final class PayloadWriter {

	/** The default maximum size of a payload: one megabyte of JSON. */
	public static final DataSize DEFAULT_MAX_SIZE = DataSize.ofMegabytes(1);

	private static final int NO_TEXT = -1;

	private final PayloadCodec codec;

	private final DataSize maxSize;

	/**
	 * Creates the writer.
	 * @param codec writes payloads
	 * @param maxSize the maximum size of a payload as JSON, in bytes of UTF-8
	 * @throws IllegalArgumentException if the size is not from a byte to 256 megabytes
	 */
	public PayloadWriter(PayloadCodec codec, DataSize maxSize) {
		checkMaxSize(maxSize);
		this.codec = codec;
		this.maxSize = maxSize;
	}

	/**
	 * Checks the maximum size of payloads.
	 * @param maxPayloadSize the maximum size of a payload as JSON, in bytes of UTF-8
	 * @throws IllegalArgumentException if the size is not from one byte to 256 megabytes,
	 * which server and driver can still transfer
	 */
	public static void checkMaxSize(DataSize maxPayloadSize) {
		Assert.isTrue(maxPayloadSize.toBytes() > 0 && maxPayloadSize.toMegabytes() <= 256,
				() -> "maxPayloadSize must be from 1B to 256MB, not " + maxPayloadSize);
	}

	/**
	 * Returns the payload of a request as JSON.
	 * @throws PayloadConversionException if it cannot be written or is too large
	 */
	public @Nullable String payload(JobRequest request) {
		return write(request.payload(), request.type());
	}

	/**
	 * Returns the payload of a signal as JSON.
	 * @param type the type of the job that receives it
	 */
	@Nullable String signal(@Nullable Object payload, String type) {
		return check(EncryptingPayloadCodec.ofSignals(this.codec).write(payload, type), type);
	}

	/** Returns the request with the unique key that its payload gives it, if any. */
	JobRequest keyed(JobRequest request) {
		// a process without such jobs does not load the class
		return request.isUniqueByPayload() ? PayloadKey.derive(request, this.codec) : request;
	}

	NewJob write(JobRequest request, @Nullable String headers) {
		String type = request.type();
		PayloadMerge merge = (request.unique() != null && request.unique().duplicates() instanceof Merge<?> policy)
				? (existing, added) -> merge(policy, existing, added, type) : null;
		return new NewJob(request, write(request.payload(), type), merge, headers(request, headers),
				(request.onFailure() != null) ? write(request.onFailure(), headers) : null);
	}

	/** Those of the request take precedence over those of the interceptors. */
	private static @Nullable String headers(JobRequest request, @Nullable String headers) {
		Map<String, String> own = headers(request);
		if (own.isEmpty()) {
			return headers;
		}
		Map<String, String> all = new LinkedHashMap<>(JsonTexts.read(headers));
		all.putAll(own);
		return JsonTexts.write(all);
	}

	/**
	 * Returns the headers of a request as its job has them, with those of its options.
	 */
	public static Map<String, String> headers(JobRequest request) {
		@Nullable String fairnessKey = fairnessKeyBesideLimit(request);
		if (request.window() == null && request.expiresAt() == null && request.tags().isEmpty()
				&& request.headers().isEmpty() && fairnessKey == null) {
			return Map.of();
		}
		Map<String, String> all = new LinkedHashMap<>(request.headers());
		if (request.window() != null) {
			all.put(HeaderNames.WINDOW, request.window());
		}
		if (request.expiresAt() != null) {
			all.put(HeaderNames.EXPIRES_AT, request.expiresAt().toString());
		}
		if (fairnessKey != null) {
			all.put(HeaderNames.FAIRNESS_KEY, fairnessKey);
		}
		if (!request.tags().isEmpty()) {
			all.put(HeaderNames.TAGS, String.join("\n", request.tags()));
		}
		return all;
	}

	/** Returns the fairness key of a job whose limit key is another one. */
	private static @Nullable String fairnessKeyBesideLimit(JobRequest request) {
		@Nullable String limitKey = request.limitKey();
		return (limitKey != null && !FairnessKey.is(limitKey)) ? request.fairnessKey() : null;
	}

	private @Nullable String write(@Nullable Object payload, String type) {
		return check(this.codec.write(payload, type), type);
	}

	private <T> @Nullable String merge(Merge<T> policy, @Nullable String existing, @Nullable String added,
			String type) {
		return write(policy.merge().apply(read(policy, existing, type), read(policy, added, type)), type);
	}

	private <T> @Nullable T read(Merge<T> policy, @Nullable String json, String type) {
		return policy.type().cast(this.codec.read(json, policy.type(), type));
	}

	@Nullable String check(@Nullable String json, String type) {
		if (json == null) {
			return null;
		}
		long size = utf8Size(json);
		if (size == NO_TEXT) {
			throw new PayloadConversionException(("The payload of a job of type '%s' contains half a character (a"
					+ " surrogate without its other half), which PostgreSQL cannot store; was a text cut inside an emoji?")
				.formatted(type), null);
		}
		if (size > this.maxSize.toBytes()) {
			throw new PayloadConversionException(
					("The payload of a job of type '%s' has %s bytes as JSON; at most %s are"
							+ " allowed. Store what is big elsewhere and put its id into the payload, or raise"
							+ " rowqueue.max-payload-size")
						.formatted(type, size, this.maxSize.toBytes()),
					null);
		}
		if (json.indexOf('\0') >= 0) {
			throw new PayloadConversionException(("The payload of a job of type '%s' contains the character NUL outside"
					+ " of an escape sequence: that is no JSON, and PostgreSQL cannot store it")
				.formatted(type), null);
		}
		return json;
	}

	/**
	 * Returns the number of bytes in UTF-8, or {@code NO_TEXT} if the text is malformed.
	 */
	private static long utf8Size(String text) {
		long size = text.length();
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (Character.isSurrogate(c)) {
				if (i + 1 == text.length() || !Character.isSurrogatePair(c, text.charAt(i + 1))) {
					return NO_TEXT;
				}
				i++;
				size += 2;
			}
			else if (c >= 0x80) {
				size += (c < 0x800) ? 1 : 2;
			}
		}
		return size;
	}

}
