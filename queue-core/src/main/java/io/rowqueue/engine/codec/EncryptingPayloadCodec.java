package io.rowqueue.engine.codec;

import java.lang.reflect.Type;

import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadEncryption;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts what another codec writes: payloads, results, signals and recorded steps. Each
 * text is bound to its kind, and all but results, which jobs of other types read, to the
 * type of its job.
 */
public final class EncryptingPayloadCodec implements PayloadCodec {

	/** What a job is enqueued with. */
	public static final String PAYLOAD = "payload";

	/** What a signal has with it. */
	public static final String SIGNAL = "signal";

	private static final String RESULT = "result";

	private final PayloadCodec codec;

	private final PayloadEncryption encryption;

	private final String kind;

	/**
	 * Creates the codec of payloads.
	 * @param codec writes and reads JSON
	 * @param encryption encrypts it
	 */
	public EncryptingPayloadCodec(PayloadCodec codec, PayloadEncryption encryption) {
		this(codec, encryption, PAYLOAD);
	}

	private EncryptingPayloadCodec(PayloadCodec codec, PayloadEncryption encryption, String kind) {
		this.codec = codec;
		this.encryption = encryption;
		this.kind = kind;
	}

	/** Returns the codec of the results of jobs. */
	public static PayloadCodec ofResults(PayloadCodec payloads) {
		return of(payloads, RESULT);
	}

	/** Returns the codec of the payloads of signals. */
	public static PayloadCodec ofSignals(PayloadCodec payloads) {
		return of(payloads, SIGNAL);
	}

	/** Returns the codec of the results of a step. */
	public static PayloadCodec ofStep(PayloadCodec payloads, String name) {
		return of(payloads, "step\0" + name);
	}

	private static PayloadCodec of(PayloadCodec payloads, String kind) {
		return (payloads instanceof EncryptingPayloadCodec encrypting)
				? new EncryptingPayloadCodec(encrypting.codec, encrypting.encryption, kind) : payloads;
	}

	/** Returns a codec whose JSON shows the properties of a payload. */
	public static PayloadCodec plain(PayloadCodec codec) {
		return (codec instanceof EncryptingPayloadCodec encrypting) ? encrypting.codec : codec;
	}

	@Override
	public @Nullable String write(@Nullable Object payload, String jobType) {
		return encrypt(this.codec.write(payload, jobType), jobType);
	}

	@Override
	public @Nullable String write(@Nullable Object value, Type declared, String jobType) {
		return encrypt(this.codec.write(value, declared, jobType), jobType);
	}

	private @Nullable String encrypt(@Nullable String json, String jobType) {
		return (json != null) ? this.encryption.encrypt(json, context(jobType)) : null;
	}

	@Override
	public @Nullable Object read(@Nullable String json, Type target, String jobType) {
		return this.codec.read((json != null) ? this.encryption.decrypt(json, context(jobType)) : null, target,
				jobType);
	}

	private String context(String jobType) {
		return context(this.kind, jobType);
	}

	/** Returns what a text is bound to. No name of a type or step contains NUL. */
	public static String context(String kind, String jobType) {
		return kind.equals(RESULT) ? RESULT : kind + "\0" + jobType;
	}

}
