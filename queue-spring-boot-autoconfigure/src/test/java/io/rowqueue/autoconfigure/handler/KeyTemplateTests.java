package io.rowqueue.autoconfigure.handler;

import java.math.BigDecimal;
import java.util.Map;

import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadEncryption;
import io.rowqueue.engine.codec.EncryptingPayloadCodec;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class KeyTemplateTests {

	private final JacksonPayloadCodec codec = new JacksonPayloadCodec(JsonMapper.shared());

	@Test
	void propertiesOfThePayloadStandInTheKey() {
		Object payload = Map.of("id", 42, "name", "a $1\\b", "paid", true, "customer", Map.of("id", "c7"));
		assertThat(key("order {id}: {name}, {paid}, {customer.id}", payload)).isEqualTo("order 42: a $1\\b, true, c7");
	}

	@Test
	void thePayloadMayBeARecord() {
		assertThat(key("order:{id}", new Order(42))).isEqualTo("order:42");
	}

	@Test
	void aDecimalKeepsItsDigits() {
		Object payload = Map.of("price", new BigDecimal("1.10"), "number", new BigDecimal("12345678901234567.89"));
		assertThat(key("{price}, {number}", payload)).isEqualTo("1.10, 12345678901234567.89");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{no}", "{nothing}", "{list}", "{customer}", "{id.x}", "{}" })
	void aValueThatIsMissingIsNamed(String template) {
		String secret = "secret";
		assertThatIllegalArgumentException()
			.isThrownBy(() -> key(template, new Odd(1, null, new int[] { 1 }, Map.of("secret", secret))))
			.withMessage("The key '%s' of jobs of the type 'test' needs a text, number or boolean '%s' in the payload,"
					+ " which has none", template, template.substring(1, template.length() - 1));
	}

	@Test
	void aPayloadThatIsNoObjectHasNoProperties() {
		assertThatIllegalArgumentException().isThrownBy(() -> key("{id}", "text"));
		assertThatIllegalArgumentException().isThrownBy(() -> key("{id}", null));
	}

	@Test
	void aKeyThatWouldBeTheSameForAllJobsIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> key("order", null))
			.withMessage("'order' names no property of the payload in braces: all jobs would have the same key");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{id} {", "{id}}", "{{id}" })
	void aBraceWithoutItsOtherHalfIsRefused(String template) {
		assertThatIllegalArgumentException().isThrownBy(() -> key(template, null))
			.withMessage("'%s' has a brace without its other half", template);
	}

	@Test
	void keysOfJobsAreDerivedFromThePlainPayload() {
		PayloadCodec encrypting = new EncryptingPayloadCodec(this.codec,
				PayloadEncryption.withKey("2026", new byte[32]));
		assertThat(new KeyTemplate("order {id}", "test", encrypting).of(new Order(7))).isEqualTo("order 7");
	}

	private String key(String template, @Nullable Object payload) {
		return new KeyTemplate(template, "test", this.codec).of(payload);
	}

	private record Order(long id) {

	}

	private record Odd(int id, @Nullable String nothing, int[] list, Map<String, String> customer) {

	}

}
