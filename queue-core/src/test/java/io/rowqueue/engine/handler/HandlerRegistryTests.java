package io.rowqueue.engine.handler;

import java.util.ArrayList;
import java.util.List;

import io.rowqueue.JobRequest;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import io.rowqueue.testing.TestJobContext;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class HandlerRegistryTests {

	private final HandlerRegistry.Builder builder = HandlerRegistry
		.builder(new JacksonPayloadCodec(JsonMapper.shared()));

	private final List<Object> seen = new ArrayList<>();

	@Test
	void theRegistryFindsTheHandlerOfAType() throws Exception {
		this.builder.add((handlers) -> handlers.add("one", Integer.class, (number, context) -> this.seen.add(number))
			.add("two", String.class, (text, context) -> this.seen.add(text)), "bean 'registrar'");
		HandlerRegistry registry = this.builder.build();
		assertThat(registry.types()).containsExactlyInAnyOrder("one", "two");
		assertThat(registry.find("one")).get()
			.extracting(RegisteredHandler::description)
			.isEqualTo("for 'one' of bean 'registrar'");
		assertThat(registry.find("three")).isEmpty();
		for (String type : List.of("one", "two")) {
			registry.find(type).orElseThrow().run("5", TestJobContext.create());
		}
		assertThat(this.seen).containsExactly(5, "5");
	}

	@Test
	void theRegistryIsEmptyWithoutHandlers() {
		assertThat(this.builder.build().types()).isEmpty();
	}

	@Test
	void theRegistryDoesNotChangeOnceItIsBuilt() {
		HandlerRegistry registry = this.builder.build();
		add("mail", "bean 'registrar'");
		assertThat(registry.types()).isEmpty();
	}

	@Test
	void theRegistryNamesBothHandlersOfOneType() {
		add("mail", "bean 'one'");
		assertThatExceptionOfType(InvalidJobHandlerException.class).isThrownBy(() -> add("mail", "bean 'two'"))
			.withMessageContaining("for 'mail' of bean 'two' is for the type 'mail', which already has the handler for"
					+ " 'mail' of bean 'one'");
	}

	@Test
	void theRegistryRejectsATypeThatNoJobCanHave() {
		assertThatExceptionOfType(InvalidJobHandlerException.class).isThrownBy(() -> add(" ", "bean 'registrar'"))
			.withMessageContaining("of bean 'registrar' has no valid type: type must not be blank");
		assertThatExceptionOfType(InvalidJobHandlerException.class)
			.isThrownBy(() -> add("x".repeat(JobRequest.MAX_NAME_LENGTH + 1), "bean 'registrar'"))
			.withMessageContaining("type must have at most 200 characters, not 201");
	}

	@Test
	void theRegistryFailsAJobOfAHandlerInCodeWhosePayloadDoesNotMap() {
		this.builder.add((handlers) -> handlers.add("one", int.class, (number, context) -> this.seen.add(number)),
				"bean 'registrar'");
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> this.builder.build().find("one").orElseThrow().run("\"x\"", TestJobContext.create()));
		assertThat(this.seen).isEmpty();
	}

	private void add(String type, String source) {
		this.builder.add((handlers) -> handlers.add(type, String.class, (text, context) -> this.seen.add(text)),
				source);
	}

}
