package io.rowqueue.autoconfigure.handler;

import java.util.List;

import io.rowqueue.JobContext;
import io.rowqueue.JobHandler;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

class JobHandlerAotProcessorTests {

	@Test
	void theProcessorLetsANativeImageMapPayloadsAndCallHandlers() throws Exception {
		RuntimeHints hints = hintsFor(Mails.class);
		assertThat(RuntimeHintsPredicates.reflection()
			.onConstructorInvocation(Mail.class.getDeclaredConstructor(String.class))).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onConstructorInvocation(Line.class.getDeclaredConstructor(int.class))).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(Mails.class.getDeclaredMethod("send", Mail.class, JobContext.class))).accepts(hints);
	}

	@Test
	void theProcessorLetsANativeImageWriteTheResultsThatAreKept() throws Exception {
		RuntimeHints hints = hintsFor(Mails.class);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Receipt.class.getDeclaredMethod("number")))
			.accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(Ignored.class)).rejects(hints);
	}

	@Test
	void theProcessorAddsNothingForOtherBeans() {
		assertThat(RuntimeHintsPredicates.reflection().onType(Mail.class)).rejects(hintsFor(NoHandler.class));
	}

	private static RuntimeHints hintsFor(Class<?> beanClass) {
		GenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("io.rowqueue", "Application")), new InMemoryGeneratedFiles());
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.registerBean(beanClass);
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		return generation.getRuntimeHints();
	}

	record Mail(String name) {
	}

	record Line(int number) {
	}

	record Receipt(String number) {
	}

	record Ignored(String text) {
	}

	static class Mails {

		@JobHandler("mail")
		void send(Mail mail, JobContext context) {
		}

		@JobHandler("lines")
		Ignored print(List<Line> lines) {
			return new Ignored("");
		}

		@JobHandler(value = "pay", keepResult = true)
		List<Receipt> pay() {
			return List.of();
		}

	}

	static class NoHandler {

		void send(Mail mail) {
		}

	}

}
