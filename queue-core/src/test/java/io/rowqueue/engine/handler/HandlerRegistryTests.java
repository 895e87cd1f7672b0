package io.rowqueue.engine.handler;

import java.util.ArrayList;
import java.util.List;

import io.rowqueue.HandlerOptions;
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
		this.builder.add("send", method("send"), HandlerOptions.NONE, () -> this);
		this.builder.add((handlers) -> handlers.add("one", Integer.class, (number, context) -> this.seen.add(number))
			.add("two", String.class, (text, context) -> this.seen.add(text)), "bean 'registrar'");
		HandlerRegistry registry = this.builder.build();
		assertThat(registry.types()).containsExactlyInAnyOrder("send", "one", "two");
		assertThat(registry.find("send")).get()
			.extracting(RegisteredHandler::description)
			.isEqualTo(getClass().getName() + ".send(String) of bean 'test'");
		assertThat(registry.find("one")).get()
			.extracting(RegisteredHandler::description)
			.isEqualTo("for 'one' of bean 'registrar'");
		assertThat(registry.find("three")).isEmpty();
		for (String type : List.of("one", "two", "send")) {
			registry.find(type).orElseThrow().run("5", TestJobContext.create());
		}
		assertThat(this.seen).containsExactly(5, "5", "5");
	}

	@Test
	void theRegistryIsEmptyWithoutHandlers() {
		assertThat(this.builder.build().types()).isEmpty();
	}

	@Test
	void theRegistryDoesNotChangeOnceItIsBuilt() {
		HandlerRegistry registry = this.builder.build();
		this.builder.add("send", method("send"), HandlerOptions.NONE, () -> this);
		assertThat(registry.types()).isEmpty();
	}

	@Test
	void theRegistryNamesBothHandlersOfOneType() {
		this.builder.add("mail", method("send"), HandlerOptions.NONE, () -> this);
		assertThatExceptionOfType(InvalidJobHandlerException.class)
			.isThrownBy(() -> this.builder.add("mail", method("sendAgain"), HandlerOptions.NONE, () -> this))
			.withMessageContaining(
					".sendAgain(String) of bean 'test' is for the type 'mail', which already has the handler "
							+ getClass().getName() + ".send(String) of bean 'test'");
		assertThatExceptionOfType(InvalidJobHandlerException.class)
			.isThrownBy(() -> this.builder.add(
					(handlers) -> handlers.add("mail", String.class, (text, context) -> this.seen.add(text)),
					"bean 'registrar'"))
			.withMessageContaining("for 'mail' of bean 'registrar'")
			.withMessageContaining(".send(String)");
	}

	@Test
	void theRegistryRejectsATypeThatNoJobCanHave() {
		assertThatExceptionOfType(InvalidJobHandlerException.class)
			.isThrownBy(() -> this.builder.add(" ", method("send"), HandlerOptions.NONE, () -> this))
			.withMessageContaining(".send(String) of bean 'test' has no valid type: type must not be blank");
		assertThatExceptionOfType(InvalidJobHandlerException.class)
			.isThrownBy(() -> this.builder.add("x".repeat(JobRequest.MAX_NAME_LENGTH + 1), method("send"),
					HandlerOptions.NONE, () -> this))
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

	private HandlerMethod method(String name) {
		try {
			return new HandlerMethod(getClass().getDeclaredMethod(name, String.class), getClass(), "test");
		}
		catch (NoSuchMethodException ex) {
			throw new AssertionError(ex);
		}
	}

	void send(String text) {
		this.seen.add(text);
	}

	void sendAgain(String text) {
	}

}
