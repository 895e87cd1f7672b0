package io.rowqueue.engine.codec;

import java.util.List;

import io.rowqueue.JobRequest;
import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.PayloadEncryption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What is stored of payloads, results and steps when they are encrypted. */
class EncryptingPayloadCodecTests {

	private static final byte[] OLD = new byte[16];

	private static final byte[] NEW = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1, 2, 3, 4, 5, 6, 7, 8,
			9, 10, 11, 12, 13, 14, 15, 16 };

	private final PayloadEncryption before = PayloadEncryption.withKey("2025", OLD);

	private final PayloadEncryption encryption = PayloadEncryption.withKey("2026", NEW).readingKey("2025", OLD);

	private final PayloadCodec codec = codec(this.encryption);

	@Test
	void whatIsStoredIsJsonAndShowsNothing() {
		String stored = this.codec.write(new Card("4111", "Grüße"), "type");
		assertThat(stored).doesNotContain("4111");
		assertThat(JsonMapper.shared().readTree(stored).get("$encrypted").asString()).isEqualTo("2026");
		assertThat(this.codec.read(stored, Card.class, "type")).isEqualTo(new Card("4111", "Grüße"));
		assertThat(this.codec.write(new Card("4111", "Grüße"), "type")).as("twice").isNotEqualTo(stored);
	}

	@Test
	void aJobWithoutAPayloadHasNone() {
		assertThat(this.codec.write(null, "type")).isNull();
		assertThat(this.codec.read(null, Card.class, "type")).isNull();
	}

	@Test
	void aJobCannotBeUniqueByAPayloadThatIsEncrypted() {
		JobRequest request = JobRequest.of("type", new Card("4111", "Grüße"));
		assertThat(PayloadKey.derive(request, this.codec)).isSameAs(request);
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> PayloadKey.derive(request.uniqueByPayload(), this.codec))
			.withMessageContainingAll("'type'", "encrypted", "uniqueKey");
	}

	@Test
	void keysAreRotated() {
		String stored = codec(this.before).write("secret", "type");
		assertThat(this.codec.read(stored, String.class, "type")).isEqualTo("secret");
		String latest = this.codec.write("secret", "type");
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> codec(this.before).read(latest, String.class, "type"))
			.withMessageContaining("'2026'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"encrypted\"", "[{\"$encrypted\":1}]", "{\"encrypted\":{\"$encrypted\":1}}",
			"{\"encrypted\"", "\\u", "" })
	void plainTextIsReadAsItIs(String json) {
		assertThat(this.encryption.decrypt(json, "order")).isEqualTo(json);
	}

	@Test
	void aChangedTextIsRejected() {
		String stored = this.encryption.encrypt("\"secret\"", "order");
		int data = stored.indexOf("data") + 30;
		String changed = stored.substring(0, data) + ((stored.charAt(data) == 'A') ? 'B' : 'A')
				+ stored.substring(data + 1);
		for (String wrong : List.of(changed, stored.replace("2026", "2025"))) {
			assertThatExceptionOfType(PayloadConversionException.class)
				.isThrownBy(() -> this.encryption.decrypt(wrong, "order"))
				.withMessageNotContaining("secret");
		}
	}

	@Test
	void aPayloadIsThatOfItsTypeOnly() {
		String stored = this.codec.write("secret", "order");
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.codec.read(stored, String.class, "mail"))
			.withMessageNotContaining("secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { " %s", "%s\n", "{ %s", "re-indented", "escaped name" })
	void anEncryptedTextIsRecognizedHoweverItIsWritten(String how) {
		String stored = String.valueOf(this.codec.write("secret", "order"));
		String same = switch (how) {
			case "re-indented" ->
				JsonMapper.shared().readTree(stored).toPrettyString().replace(":", " :\t").replace(",", " ,\r\n");
			case "escaped name" -> stored.replace("$encrypted", "\\u0024encrypt\\u0065d");
			case "{ %s" -> "{ " + stored.substring(1);
			default -> how.formatted(stored);
		};
		assertThat(this.codec.read(same, Object.class, "order")).isEqualTo("secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"$encrypted\":true}", "{\"$encrypted\":\"2026\"}",
			"{\"$encrypted\":\"2026\",\"v\":2,\"data\":\"A===\"}",
			"{\"$encrypted\":\"2026\",\"v\":2,\"data\":\"AAAA\"}",
			"{\"$encrypted\":\"2026\",\"v\":2,\"data\":\"\",\"more\":[1]}",
			"{\"a\":{},\"$encrypted\":\"2026\",\"v\":3,\"data\":\"AAAA\"}", "{\"$encrypted\":\"2026\",\"data\":",
			"{\"$encrypted\":\"2026\",\"data\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"}" })
	void anObjectThatNamesAKeyAndCannotBeDecryptedIsNoPayload(String json) {
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.codec.read(json, Object.class, "order"))
			.withMessageContaining("encrypted");
	}

	@Test
	void aTextIsOfItsKindOnly() {
		List<PayloadCodec> kinds = List.of(this.codec, EncryptingPayloadCodec.ofResults(this.codec),
				EncryptingPayloadCodec.ofSignals(this.codec), EncryptingPayloadCodec.ofStep(this.codec, "charge"),
				EncryptingPayloadCodec.ofStep(this.codec, "ship"));
		for (PayloadCodec written : kinds) {
			String stored = written.write("secret", "order");
			for (PayloadCodec read : kinds) {
				if (read == written) {
					assertThat(read.read(stored, String.class, "order")).isEqualTo("secret");
				}
				else {
					assertThatExceptionOfType(PayloadConversionException.class)
						.isThrownBy(() -> read.read(stored, String.class, "order"));
				}
			}
		}
	}

	@Test
	void jobsOfOtherTypesReadAResult() {
		PayloadCodec results = EncryptingPayloadCodec.ofResults(this.codec);
		assertThat(results.read(results.write("done", "order"), String.class, "mail")).isEqualTo("done");
	}

	@Test
	void wrongKeysAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> PayloadEncryption.withKey("a", new byte[10]))
			.withMessage("an AES key has 16, 24 or 32 bytes, and the key 'a' has 10");
		assertThatIllegalArgumentException().isThrownBy(() -> PayloadEncryption.withKey("a\"b", OLD))
			.withMessageEndingWith("not 'a\"b'");
		assertThatIllegalArgumentException().isThrownBy(() -> this.encryption.readingKey("2025", OLD));
	}

	private static PayloadCodec codec(PayloadEncryption encryption) {
		return new EncryptingPayloadCodec(new JacksonPayloadCodec(JsonMapper.shared()), encryption);
	}

	record Card(String number, String text) {
	}

}
