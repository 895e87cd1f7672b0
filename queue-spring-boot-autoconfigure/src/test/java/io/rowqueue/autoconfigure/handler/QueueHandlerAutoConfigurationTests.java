package io.rowqueue.autoconfigure.handler;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

import io.rowqueue.JobHandlers;
import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadEncryption;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import io.rowqueue.engine.handler.HandlerRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;

class QueueHandlerAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(QueueHandlerAutoConfiguration.class));

	@Test
	void payloadsAreWrittenWithTheApplicationsMapper() {
		this.runner.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class))
			.withPropertyValues("spring.jackson.property-naming-strategy=SNAKE_CASE")
			.run((context) -> assertThat(context.getBean(PayloadCodec.class).write(new Mail("ann"), "mail"))
				.isEqualTo("{\"first_name\":\"ann\"}"));
	}

	@Test
	void payloadsAreWrittenWithJacksonsDefaultsIfThereIsNoMapper() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(JacksonPayloadCodec.class);
			assertThat(context.getBean(PayloadCodec.class).write(new Mail("ann"), "mail"))
				.isEqualTo("{\"firstName\":\"ann\"}");
		});
	}

	@Test
	void payloadsAreEncryptedIfTheApplicationDeclaresHow() {
		this.runner.withBean(PayloadEncryption.class, () -> PayloadEncryption.withKey("one", new byte[32]))
			.run((context) -> {
				assertThat(context).hasSingleBean(PayloadCodec.class);
				PayloadCodec codec = context.getBean(PayloadCodec.class);
				String stored = codec.write(new Mail("ann"), "mail");
				assertThat(stored).contains("\"one\"").doesNotContain("ann");
				assertThat(codec.read(stored, Mail.class, "mail")).isEqualTo(new Mail("ann"));
			});
	}

	@Test
	void theApplicationsCodecIsUsed() {
		this.runner.withBean(UpperCase.class).run((context) -> {
			assertThat(context).hasSingleBean(PayloadCodec.class);
			assertThat(context.getBean(PayloadCodec.class)).isInstanceOf(UpperCase.class);
		});
	}

	@Test
	void handlersInCodeAreRegistered() {
		List<Object> seen = new ArrayList<>();
		this.runner
			.withBean("mails", JobHandlers.Registrar.class,
					() -> (handlers) -> handlers.add("mail", Mail.class, (mail, context) -> seen.add(mail)))
			.withBean("numbers", JobHandlers.Registrar.class,
					() -> (handlers) -> handlers.add("number", Integer.class, (number, context) -> seen.add(number)))
			.run((context) -> {
				HandlerRegistry registry = context.getBean(HandlerRegistryFactory.class).get();
				assertThat(registry.types()).containsExactlyInAnyOrder("mail", "number");
				registry.find("mail").orElseThrow().run("{\"firstName\":\"ann\"}", null);
				registry.find("number").orElseThrow().run("7", null);
				assertThat(seen).containsExactly(new Mail("ann"), 7);
			});
	}

	@Test
	void handlersAreKnownWhenLifecycleBeansStart() {
		this.runner.withBean(StartsWithHandlers.class)
			.withBean(InvalidJobHandlerTests.Mails.class)
			.run((context) -> assertThat(context.getBean(StartsWithHandlers.class).found.get().types())
				.containsExactly("mail"));
	}

	@Test
	void handlersAreNotAvailableBeforeAllSingletonsAreCreated() {
		this.runner.withBean(AsksTooEarly.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(IllegalStateException.class)
				.hasMessageContaining("before all singletons are created"));
	}

	record Mail(String firstName) {
	}

	static class UpperCase implements PayloadCodec {

		@Override
		public String write(Object payload, String jobType) {
			return payload.toString().toUpperCase(Locale.ROOT);
		}

		@Override
		public Object read(String json, Type target, String jobType) {
			return json;
		}

	}

	static class AsksTooEarly {

		AsksTooEarly(HandlerRegistryFactory factory) {
			factory.get();
		}

	}

	static class StartsWithHandlers implements SmartLifecycle {

		final AtomicReference<HandlerRegistry> found = new AtomicReference<>();

		private final HandlerRegistryFactory factory;

		StartsWithHandlers(HandlerRegistryFactory factory) {
			this.factory = factory;
		}

		@Override
		public void start() {
			this.found.set(this.factory.get());
		}

		@Override
		public void stop() {
			this.found.set(null);
		}

		@Override
		public boolean isRunning() {
			return this.found.get() != null;
		}

	}

}
