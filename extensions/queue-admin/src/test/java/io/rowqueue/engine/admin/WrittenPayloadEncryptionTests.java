package io.rowqueue.engine.admin;

import java.util.List;

import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadEncryption;
import io.rowqueue.engine.codec.EncryptingPayloadCodec;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Payloads that people wrote, where payloads are encrypted. */
class WrittenPayloadEncryptionTests {

	private final PayloadEncryption encryption = PayloadEncryption.withKey("2026", new byte[32]);

	private final PayloadCodec codec = new EncryptingPayloadCodec(new JacksonPayloadCodec(JsonMapper.shared()),
			this.encryption);

	private final WrittenPayloads written = new WrittenPayloads(this.encryption);

	@Test
	void whatPeopleWroteIsCheckedBefore() {
		assertThat(this.codec.read(this.written.ofJob("[1]", "order"), Object.class, "order")).isEqualTo(List.of(1));
		assertThatIllegalArgumentException().isThrownBy(() -> this.written.ofJob("[1", "order"))
			.withMessage("payload must be JSON");
		assertThat(EncryptingPayloadCodec.ofSignals(this.codec)
			.read(this.written.ofSignal("[1]", "order"), Object.class, "order")).isEqualTo(List.of(1));
	}

	@Test
	void whatPeopleCopiedIsNotEncryptedTwice() {
		String stored = JsonMapper.shared().readTree(this.codec.write("secret", "order")).toPrettyString();
		assertThat(this.codec.read(this.written.ofJob(stored, "order"), Object.class, "order")).isEqualTo("secret");
		assertThatIllegalArgumentException().isThrownBy(() -> this.written.ofJob(stored, "mail"));
	}

}
