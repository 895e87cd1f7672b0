package io.rowqueue.autoconfigure.handler;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.StopReason;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import io.rowqueue.engine.handler.InvalidJobHandlerException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MethodHandlerTests {

	private final Jobs jobs = new Jobs();

	private final JobContext context = new Context(1, "mail", "default", 1, 10, Instant.EPOCH, Instant.EPOCH, 1, null);

	@Test
	void theHandlerPassesPayloadAndContextInAnyOrder() throws Exception {
		handler("payload").run("{\"name\":\"a\"}", this.context);
		handler("payloadAndContext").run("{\"name\":\"b\"}", this.context);
		handler("contextAndPayload").run("{\"name\":\"c\"}", this.context);
		handler("contextOnly").run("{\"name\":\"d\"}", this.context);
		handler("nothing").run("{\"name\":\"e\"}", this.context);
		assertThat(this.jobs.seen).containsExactly(new Mail("a"), new Mail("b"), this.context, this.context,
				new Mail("c"), this.context, "nothing");
	}

	@Test
	void theHandlerMapsThePayloadToGenericTypesAndTrees() throws Exception {
		handler("list").run("[{\"name\":\"a\"}]", this.context);
		handler("tree").run("{\"name\":\"a\"}", this.context);
		assertThat(this.jobs.seen).containsExactly(List.of(new Mail("a")),
				JsonMapper.shared().readTree("{\"name\":\"a\"}"));
	}

	@Test
	void theHandlerKeepsAResultAsTheTypeThatItsMethodDeclares() throws Exception {
		MethodHandler handler = new MethodHandler("mail", method("pets"), HandlerOptions.NONE.keepResult(true), codec(),
				() -> this.jobs);
		assertThat(handler.run(null, this.context))
			.isEqualTo("{\"first\":{\"kind\":\"dog\",\"name\":\"a\"},\"second\":[{\"kind\":\"dog\",\"name\":\"b\"}]}");
	}

	@Test
	void theHandlerMapsThePayloadToTheTypeThatTheSubclassFixes() throws Exception {
		handler("inherited").run("{\"name\":\"a\"}", this.context);
		handler("inheritedList").run("[{\"name\":\"a\"}]", this.context);
		assertThat(this.jobs.seen).containsExactly(new Mail("a"), List.of(new Mail("a")));
	}

	@Test
	void theHandlerMapsAPayloadOfAnUndeclaredTypeToPlainObjects() throws Exception {
		handler("anything").run("{\"name\":\"a\"}", this.context);
		assertThat(this.jobs.seen).hasToString("[{name=a}]");
	}

	@Test
	void theHandlerPassesNullWhenTheJobHasNoPayload() throws Exception {
		handler("payload").run(null, this.context);
		assertThat(this.jobs.seen).containsExactly((Object) null);
	}

	@Test
	void theHandlerDoesNotCallAPrimitiveParameterWithoutAPayload() {
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(() -> handler("primitive").run(null, this.context))
			.withMessageContaining("'mail'")
			.withMessageContaining("primitive type int");
		assertThat(this.jobs.seen).isEmpty();
	}

	@Test
	void theHandlerThrowsWhatTheMethodThrew() {
		assertThatThrownBy(() -> handler("failing").run("\"exception\"", this.context)).isSameAs(this.jobs.exception)
			.hasNoCause();
		assertThatThrownBy(() -> handler("failing").run("\"error\"", this.context)).isSameAs(this.jobs.error);
		assertThatThrownBy(() -> handler("failing").run("\"throwable\"", this.context)).hasCause(this.jobs.throwable);
	}

	@Test
	void theHandlerRequestsTheBeanBeforeEachRunOnly() throws Exception {
		AtomicInteger asked = new AtomicInteger();
		MethodHandler handler = new MethodHandler("mail", method("nothing"), HandlerOptions.NONE, codec(), () -> {
			asked.incrementAndGet();
			return new Jobs();
		});
		assertThat(asked).hasValue(0);
		handler.run(null, this.context);
		handler.run(null, this.context);
		assertThat(asked).hasValue(2);
	}

	@Test
	void theHandlerDoesNotAskForTheBeanWhenThePayloadDoesNotMap() {
		MethodHandler handler = new MethodHandler("mail", method("payload"), HandlerOptions.NONE, codec(), () -> {
			throw new AssertionError("asked");
		});
		assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> handler.run("[1]", this.context));
	}

	@Test
	void theHandlerCallsAnInterfacesMethodThroughAProxyThatAppearsLate() throws Exception {
		Object proxy = Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Sender.class },
				(self, method, arguments) -> method.invoke(this.jobs, arguments));
		new MethodHandler("mail", method("send"), HandlerOptions.NONE, codec(), () -> proxy).run("{\"name\":\"a\"}",
				this.context);
		assertThat(this.jobs.seen).containsExactly(new Mail("a"));
	}

	@Test
	void theHandlerExplainsWhyAProxyCannotBeCalled() {
		Object proxy = Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Sender.class },
				(self, method, arguments) -> null);
		assertThatExceptionOfType(InvalidJobHandlerException.class)
			.isThrownBy(() -> new MethodHandler("mail", method("payload"), HandlerOptions.NONE, codec(), () -> proxy)
				.run("{\"name\":\"a\"}", this.context))
			.withMessageContaining(Jobs.class.getName() + ".payload(Mail) of bean 'jobs' cannot be called on its bean")
			.withMessageContaining("proxyTargetClass");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			statically   | is static
			privately    | is private
			twoPayloads  | has two parameters for the payload, 'one' and 'two'
			asynchronous | returns a CompletableFuture: its job would end before the work is done
			""")
	void theHandlerRejectsAMethodThatCannotBeAHandler(String name, String reason) {
		assertThatExceptionOfType(InvalidJobHandlerException.class).isThrownBy(() -> handler(name))
			.withMessageStartingWith("Job handler " + Jobs.class.getName() + "." + name + "(")
			.withMessageContaining(") of bean 'jobs' " + reason);
	}

	private MethodHandler handler(String name) {
		return new MethodHandler("mail", method(name), HandlerOptions.NONE, codec(), () -> this.jobs);
	}

	private static HandlerMethod method(String name) {
		Method method = Arrays.stream(new Class<?>[] { Jobs.class, Base.class })
			.flatMap((type) -> Arrays.stream(type.getDeclaredMethods()))
			.filter((candidate) -> candidate.getName().equals(name) && !candidate.isBridge())
			.findFirst()
			.orElseThrow();
		return new HandlerMethod(method, Jobs.class, "jobs");
	}

	private static JacksonPayloadCodec codec() {
		return new JacksonPayloadCodec(JsonMapper.shared());
	}

	/** Of an attempt that no worker makes. */
	private record Context(long id, String type, String queue, int attempt, int maxAttempts, Instant createdAt,
			Instant runAt, int leaseToken, @Nullable StopReason stopReason) implements JobContext {

		@Override
		public void progress(long done, long total, @Nullable String message) {
		}

	}

	record Mail(String name) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes(@JsonSubTypes.Type(value = Dog.class, name = "dog"))
	interface Pet {

	}

	record Dog(String name) implements Pet {

	}

	record Both<T>(T first, List<T> second) {

	}

	interface Sender {

		void send(Mail mail);

	}

	abstract static class Base<T> {

		final List<Object> seen = new ArrayList<>();

		void inherited(T payload) {
			this.seen.add(payload);
		}

		void inheritedList(List<T> payload) {
			this.seen.add(payload);
		}

	}

	static class Jobs extends Base<Mail> implements Sender {

		final Exception exception = new Exception("checked");

		final Error error = new AssertionError("error");

		final Throwable throwable = new Throwable("neither");

		Both<Pet> pets() {
			return new Both<>(new Dog("a"), List.of(new Dog("b")));
		}

		void payload(Mail mail) {
			this.seen.add(mail);
		}

		void payloadAndContext(Mail mail, JobContext context) {
			this.seen.addAll(List.of(mail, context));
		}

		void contextAndPayload(JobContext context, Mail mail) {
			this.seen.addAll(List.of(context, mail));
		}

		void contextOnly(JobContext context) {
			this.seen.add(context);
		}

		String nothing() {
			this.seen.add("nothing");
			return "ignored";
		}

		void list(List<Mail> mails) {
			assertThat(mails).hasOnlyElementsOfType(Mail.class);
			this.seen.add(mails);
		}

		void tree(JsonNode mail) {
			this.seen.add(mail);
		}

		<X> void anything(X payload) {
			this.seen.add(payload);
		}

		void primitive(int number) {
			this.seen.add(number);
		}

		@Override
		public void send(Mail mail) {
			this.seen.add(mail);
		}

		void failing(String how) throws Throwable {
			throw switch (how) {
				case "exception" -> this.exception;
				case "error" -> this.error;
				default -> this.throwable;
			};
		}

		static void statically(Mail mail) {
		}

		private void privately(Mail mail) {
		}

		void twoPayloads(Mail one, JobContext context, Mail two) {
		}

		CompletableFuture<Void> asynchronous(Mail mail) {
			return CompletableFuture.completedFuture(null);
		}

	}

}
