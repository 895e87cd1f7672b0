package io.rowqueue.autoconfigure.handler;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import io.rowqueue.CoalescedJob;
import io.rowqueue.JobHandler;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.autoconfigure.QueueAutoConfiguration;
import io.rowqueue.autoconfigure.TestDatabase;
import io.rowqueue.autoconfigure.connection.QueueConnectionAutoConfiguration;
import io.rowqueue.autoconfigure.schema.QueueSchemaAutoConfiguration;
import io.rowqueue.control.JobControl;
import io.rowqueue.flow.Flow;
import io.rowqueue.schedule.RecurringJob;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.schedule.autoconfigure.QueueRecurringJobsAutoConfiguration;
import io.rowqueue.schedule.autoconfigure.QueueSchedulesAutoConfiguration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Payloads that no attempt could read are found before there is an attempt. */
class PayloadChecksTests {

	@RegisterExtension
	private final TestDatabase database = new TestDatabase();

	private final ApplicationContextRunner handlers = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class, QueueHandlerAutoConfiguration.class,
				QueueRecurringJobsAutoConfiguration.class));

	private final ApplicationContextRunner application = this.handlers
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				QueueConnectionAutoConfiguration.class, QueueSchemaAutoConfiguration.class,
				QueueAutoConfiguration.class, QueueSchedulesAutoConfiguration.class))
		.withPropertyValues(this.database.properties());

	@ParameterizedTest
	@ValueSource(classes = { TakesShape.class, TakesShapes.class, TakesShapesByName.class, TakesPerhapsAShape.class,
			CoalescesShapes.class })
	void anAbstractPayloadWithoutATypeIdFailsTheStart(Class<?> handler) {
		refuses(handler, handler.getSimpleName() + ".take(",
				Shape.class.getTypeName() + " is abstract, and nothing in the JSON says which class it is",
				"@JsonTypeInfo");
	}

	@Test
	void soDoesThatOfAHandlerThatIsRegisteredInCode() {
		this.handlers.withBean(JobHandlers.Registrar.class,
				() -> (handlers) -> handlers.add("shape", Shape.class, (shape, context) -> {
				}))
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContainingAll("for 'shape'", "Shape is abstract"));
	}

	@Test
	void aClassThatNoConstructorCanCreateFailsTheStart() {
		refuses(TakesNoConstructor.class, "NoConstructor has no constructor that Jackson can call", "@JsonCreator");
	}

	@Test
	void whatJacksonCanReadIsTaken() {
		this.handlers.withBean(TakesAnything.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void ofAnotherCodecNothingIsKnown() {
		this.handlers.withBean(TakesShape.class)
			.withBean(PayloadCodec.class, () -> org.mockito.Mockito.mock(PayloadCodec.class))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(classes = { UniqueByTypo.class, LimitedByTypo.class, TaggedByTypo.class, CoalescedByTypo.class })
	void aKeyOfAPropertyThatARecordDoesNotHaveFailsTheStart(Class<?> handler) {
		refuses(handler, "derives ", "from its payload, which has no property 'customer.nane'", "@JobHandler");
	}

	@Test
	void aKeyOfAPropertyWithANameOfItsOwnIsKnown() {
		this.handlers.withBean(Keys.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(classes = { RecursWithText.class, RecursWithoutPayload.class })
	void thePayloadOfARecurringJobThatItsHandlerCannotReadFailsTheStart(Class<?> handler) {
		refuses(handler, "has an invalid @RecurringJob", "job of type 'count'");
	}

	@Test
	void soDoesThatOfARecurringJobOfProperties() {
		this.handlers.withBean(TakesOrder.class)
			.withPropertyValues("rowqueue.recurring.nightly.type=order", "rowqueue.recurring.nightly.every=1h",
					"rowqueue.recurring.nightly.payload={\"id\":\"x\"}")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContainingAll("rowqueue.recurring.nightly", "cannot be read as", "(at $.id)"));
	}

	@Test
	void aPayloadThatTheHandlerOfTheApplicationCannotReadIsNotStored() {
		this.application.withBean(TakesOrder.class).run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			JobRequest wrong = JobRequest.of("order", "s3cret");
			refused(() -> queue.enqueue(wrong));
			assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> queue.enqueue("count", null))
				.withMessageContaining("'count' has no payload");
			refused(() -> queue.enqueueAll(List.of(JobRequest.of("other"), wrong)));
			refused(() -> queue.enqueueAll(Stream.of(wrong)));
			refused(() -> queue.enqueue(JobRequest.of("other").onFailure(wrong)));
			refused(() -> queue.enqueue(Flow.named("flow").job("order", wrong)));
			refused(() -> context.getBean(Schedules.class)
				.put(Schedule.of("wrong", Rhythm.every(Duration.ofHours(1)), wrong)));
			assertThat(this.database.count("select count(*) from rowqueue.job")).isZero();
			long id = queue.enqueue("order", Map.of("id", 7)).id();
			refused(() -> context.getBean(JobControl.class).job(id).replacePayload("s3cret"));
			assertThat(queue.find(id)).get().extracting((job) -> job.payload()).asString().contains("7");
		});
	}

	@Test
	void onlyTheFirstPayloadOfAClassIsRead() {
		this.application.withBean(TakesOrder.class).run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			int before = Order.created;
			queue.enqueueAll(LongStream.range(0, 50).mapToObj((id) -> JobRequest.of("order", new Order(id))).toList());
			assertThat(Order.created - before).as("50 by the test").isEqualTo(51);
		});
	}

	@Test
	void aPayloadThatWouldBeStoredWithoutItsFieldsIsRefused() {
		this.application.run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			for (int i = 0; i < 2; i++) {
				assertThatExceptionOfType(PayloadConversionException.class)
					.isThrownBy(() -> queue.enqueue("any", new NoGetters("s3cret")))
					.withMessageContainingAll("'any'", "would be stored as {}", NoGetters.class.getName(), "getters")
					.withMessageNotContaining("s3cret");
			}
			assertThat(queue.enqueue("any", new Nothing()).created()).isTrue();
			assertThat(queue.enqueue("any", Map.of()).created()).isTrue();
			assertThat(queue.enqueue("any", null).created()).isTrue();
		});
	}

	private static void refused(ThrowingCallable call) {
		assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(call)
			.withMessageContainingAll("The handler of this application", "is not stored", "'order'")
			.withMessageNotContaining("s3cret");
	}

	private void refuses(Class<?> handler, String... message) {
		this.handlers.withBean(handler)
			.run((context) -> assertThat(context).getFailure().hasMessageContainingAll(message));
	}

	interface Shape {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	sealed interface Payment permits Card, Cash {

	}

	@JsonTypeName("card")
	record Card(String number) implements Payment {

	}

	@JsonTypeName("cash")
	record Cash(long cents) implements Payment {

	}

	record Customer(String name) {

	}

	record Order(long id) {

		static int created;

		Order {
			created++;
		}

	}

	record Purchase(Customer customer, @JsonProperty("no") long number, Map<String, String> more) {

	}

	record Wrapped(@JsonValue Customer customer) {

	}

	static final class NoConstructor {

		private final String text;

		NoConstructor(String text, int length) {
			this.text = text.substring(length);
		}

		@SuppressWarnings("unused")
		public String getText() {
			return this.text;
		}

	}

	@SuppressWarnings("unused")
	static class NoGetters {

		private final String secret;

		NoGetters(String secret) {
			this.secret = secret;
		}

	}

	record Nothing() {

	}

	static class TakesShape {

		@JobHandler("shape")
		void take(Shape shape) {
		}

	}

	static class TakesShapes {

		@JobHandler("shape")
		void take(List<Shape> shapes) {
		}

	}

	static class TakesShapesByName {

		@JobHandler("shape")
		void take(Map<String, List<Shape>> shapes) {
		}

	}

	static class TakesPerhapsAShape {

		@JobHandler("shape")
		void take(Optional<Shape> shape) {
		}

	}

	static class CoalescesShapes {

		@JobHandler(value = "shape", coalesce = 2)
		void take(List<CoalescedJob<Shape>> shapes) {
		}

	}

	static class TakesNoConstructor {

		@JobHandler("none")
		void take(NoConstructor payload) {
		}

	}

	static class TakesAnything {

		@JobHandler("payment")
		void payment(Payment payment) {
		}

		@JobHandler("payments")
		void payments(List<Payment> payments) {
		}

		@JobHandler("object")
		void object(Object object) {
		}

		@JobHandler("map")
		void map(Map<String, ?> map) {
		}

		@JobHandler("iterable")
		void iterable(Iterable<String> texts) {
		}

		@JobHandler("number")
		void number(Number number) {
		}

		@JobHandler("text")
		void text(CharSequence text) {
		}

		@JobHandler("array")
		void array(Cash[] cash) {
		}

		@JobHandler("node")
		void node(tools.jackson.databind.JsonNode node) {
		}

		@JobHandler("id")
		void id(java.util.UUID id) {
		}

		@JobHandler("uri")
		void uri(java.net.URI uri) {
		}

		@JobHandler("nothing")
		void nothing(Nothing nothing) {
		}

		@JobHandler("wrapped")
		void wrapped(Wrapped wrapped) {
		}

		@JobHandler("none")
		void none() {
		}

	}

	static class UniqueByTypo {

		@JobHandler(value = "typo", uniqueKey = "mail {customer.nane}")
		void take(Purchase purchase) {
		}

	}

	static class LimitedByTypo {

		@JobHandler(value = "typo", limitKey = "customer:{customer.nane}")
		void take(Purchase purchase) {
		}

	}

	static class TaggedByTypo {

		@JobHandler(value = "typo", tags = { "mail", "{customer.nane}" })
		void take(Purchase purchase) {
		}

	}

	static class CoalescedByTypo {

		@JobHandler(value = "typo", limitKey = "{customer.nane}", coalesce = 2)
		void take(List<Purchase> purchases) {
		}

	}

	static class Keys {

		@JobHandler(value = "purchase", uniqueKey = "{no} {customer.name} {more.size}", tags = "{no}")
		void take(Purchase purchase) {
		}

		@JobHandler(value = "wrapped", uniqueKey = "{name}")
		void take(Wrapped wrapped) {
		}

		@JobHandler(value = "map", uniqueKey = "{name}")
		void take(Map<String, Object> map) {
		}

	}

	static class TakesOrder {

		@JobHandler("order")
		void take(Order order) {
		}

		@JobHandler("count")
		void take(int number) {
		}

	}

	static class RecursWithText {

		@JobHandler("count")
		@RecurringJob(every = "1h", payload = "\"text\"")
		void count(int number) {
		}

	}

	static class RecursWithoutPayload {

		@JobHandler("count")
		@RecurringJob(every = "1h")
		void count(int number) {
		}

	}

}
