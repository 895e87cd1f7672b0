package io.pgqueue.engine.codec;

import java.lang.reflect.Type;
import java.util.function.UnaryOperator;

import io.pgqueue.PayloadCodec;
import io.pgqueue.PayloadEncryption;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Encrypts what another codec writes: payloads, results and recorded steps. */
public final class EncryptingPayloadCodec implements PayloadCodec {

	private final PayloadCodec codec;

	private final PayloadEncryption encryption;

	/**
	 * Creates the codec.
	 * @param codec writes and reads JSON
	 * @param encryption encrypts it
	 */
	public EncryptingPayloadCodec(PayloadCodec codec, PayloadEncryption encryption) {
		this.codec = codec;
		this.encryption = encryption;
	}

	/**
	 * Returns what encrypts payloads that people wrote. It throws
	 * {@link IllegalArgumentException} if they are not JSON, which the database cannot
	 * see any more.
	 */
	public static UnaryOperator<String> ofWritten(PayloadEncryption encryption) {
		return (payload) -> {
			try {
				JsonMapper.shared().readTree(payload);
			}
			catch (JacksonException ex) {
				throw new IllegalArgumentException("payload must be JSON", ex);
			}
			return encryption.encrypt(payload);
		};
	}

	/** Returns a codec whose JSON shows the properties of a payload. */
	static PayloadCodec plain(PayloadCodec codec) {
		return (codec instanceof EncryptingPayloadCodec encrypting) ? encrypting.codec : codec;
	}

	@Override
	public @Nullable String write(@Nullable Object payload, String jobType) {
		return encrypt(this.codec.write(payload, jobType));
	}

	@Override
	public @Nullable String write(@Nullable Object value, Type declared, String jobType) {
		return encrypt(this.codec.write(value, declared, jobType));
	}

	private @Nullable String encrypt(@Nullable String json) {
		return (json != null) ? this.encryption.encrypt(json) : null;
	}

	@Override
	public @Nullable Object read(@Nullable String json, Type target, String jobType) {
		return this.codec.read((json != null) ? this.encryption.decrypt(json) : null, target, jobType);
	}

}
