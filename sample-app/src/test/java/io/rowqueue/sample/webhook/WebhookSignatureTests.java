package io.rowqueue.sample.webhook;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class WebhookSignatureTests {

	/** An example that implementations of Standard Webhooks share. */
	private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

	private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";

	private static final String TIMESTAMP = "1614265330";

	private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);

	private static final String SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

	private static final Instant SENT = Instant.ofEpochSecond(1614265330);

	private final WebhookSignature signature = WebhookSignature.ofSecret(SECRET);

	@Test
	void theSignatureConformsToTheStandard() {
		assertThat(this.signature.sign(ID, TIMESTAMP, BODY)).isEqualTo(SIGNATURE);
	}

	@Test
	void aValidSignatureIsAccepted() {
		assertThat(this.signature.verify(ID, TIMESTAMP, SIGNATURE, BODY, SENT.plusSeconds(299))).isTrue();
	}

	@Test
	void oneOfSeveralSignaturesSuffices() {
		assertThat(this.signature.verify(ID, TIMESTAMP, "v1,b3RoZXI= " + SIGNATURE, BODY, SENT)).isTrue();
	}

	@Test
	void anotherBodyIsRejected() {
		assertThat(this.signature.verify(ID, TIMESTAMP, SIGNATURE, "{}".getBytes(StandardCharsets.UTF_8), SENT))
			.isFalse();
	}

	@Test
	void anotherIdIsRejected() {
		assertThat(this.signature.verify("msg_other", TIMESTAMP, SIGNATURE, BODY, SENT)).isFalse();
	}

	@Test
	void anotherSecretIsRejected() {
		WebhookSignature other = WebhookSignature.ofSecret("whsec_b3RoZXI=");

		assertThat(other.verify(ID, TIMESTAMP, SIGNATURE, BODY, SENT)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(longs = { -301, 301 })
	void anOldTimestampIsRejected(long seconds) {
		assertThat(this.signature.verify(ID, TIMESTAMP, SIGNATURE, BODY, SENT.plusSeconds(seconds))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "now", "-1", "99999999999999999999" })
	void anInvalidTimestampIsRejected(String timestamp) {
		String signed = this.signature.sign(ID, timestamp, BODY);

		assertThat(this.signature.verify(ID, timestamp, signed, BODY, SENT)).isFalse();
	}

	@Test
	void anInvalidSecretIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> WebhookSignature.ofSecret("secret"))
			.withMessageContaining("whsec_");
	}

}
