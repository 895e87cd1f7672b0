package io.rowqueue.engine.admin;

import io.rowqueue.PayloadConversionException;
import io.rowqueue.PayloadEncryption;
import io.rowqueue.engine.codec.EncryptingPayloadCodec;
import io.rowqueue.engine.codec.JsonTexts;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Payloads that people wrote, as they are stored: encrypted if the application encrypts
 * payloads. One that is encrypted already, since it was copied, stays as it is.
 */
public final class WrittenPayloads {

	private final @Nullable PayloadEncryption encryption;

	/**
	 * Creates it.
	 * @param encryption encrypts payloads; {@code null}: they are stored as they are
	 */
	public WrittenPayloads(@Nullable PayloadEncryption encryption) {
		this.encryption = encryption;
	}

	/**
	 * Returns the payload of a job.
	 * @throws IllegalArgumentException if it is to be encrypted and is no JSON, which the
	 * database cannot see any more, or is encrypted and not for jobs of this type
	 */
	public String ofJob(String payload, String jobType) {
		return stored(payload, EncryptingPayloadCodec.context(EncryptingPayloadCodec.PAYLOAD, jobType));
	}

	/**
	 * Returns the payload of a signal to a job.
	 * @throws IllegalArgumentException as for jobs
	 */
	public String ofSignal(String payload, String jobType) {
		return stored(payload, EncryptingPayloadCodec.context(EncryptingPayloadCodec.SIGNAL, jobType));
	}

	private String stored(String payload, String context) {
		if (this.encryption == null) {
			return payload;
		}
		Assert.isTrue(JsonTexts.isJson(payload), "payload must be JSON");
		try {
			boolean isPlain = this.encryption.decrypt(payload, context).equals(payload);
			return isPlain ? this.encryption.encrypt(payload, context) : payload;
		}
		catch (PayloadConversionException ex) {
			throw new IllegalArgumentException(ex.getMessage(), ex);
		}
	}

}
