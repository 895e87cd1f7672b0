package io.rowqueue.engine.codec;

import java.io.Serializable;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadConversionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class JacksonPayloadCodecTests {

	private final PayloadCodec codec = new JacksonPayloadCodec(JsonMapper.shared());

	@Test
	void theCodecReadsBackTheRecordThatItWrote() {
		Order order = new Order(7, "book", List.of(new Line("a", 2)), Instant.parse("2026-01-02T03:04:05Z"));
		assertThat(read(write(order), Order.class)).isEqualTo(order);
	}

	@Test
	void theJsonContainsNoClassNameSoThatARenamedClassCanReadIt() {
		String json = Objects.requireNonNull(write(new Line("a", 2)));
		assertThat(json).doesNotContain("Line", "rowqueue", "class");
		assertThat(read(json, RenamedLine.class)).isEqualTo(new RenamedLine("a", 2));
	}

	@Test
	void theCodecReadsGenericTypes() {
		List<Line> lines = List.of(new Line("a", 1), new Line("b", 2));
		assertThat(read(write(lines), new TypeReference<List<Line>>() {
		}.getType())).isEqualTo(lines);
		assertThat(read("{\"a\":[{\"name\":\"x\",\"count\":1}]}", new TypeReference<Map<String, List<Line>>>() {
		}.getType())).isEqualTo(Map.of("a", List.of(new Line("x", 1))));
	}

	@Test
	void whatIsWrittenAsATypeIsReadAsThisType() {
		Map<Object, TypeReference<?>> values = Map.of(List.of(new Card("1"), new Cash(2)),
				new TypeReference<List<Payment>>() {
				}, Map.of("a", new Card("1")), new TypeReference<Map<String, Payment>>() {
				}, new Envelope<Payment>(new Card("1"), List.of(new Cash(2))), new TypeReference<Envelope<Payment>>() {
				}, Optional.of(new Card("1")), new TypeReference<Optional<Payment>>() {
				}, List.of(new Envelope<Payment>(new Cash(1), List.of())),
				new TypeReference<List<Envelope<Payment>>>() {
				}, List.of(Map.of("a", Optional.of(new Cash(3)))),
				new TypeReference<List<? extends Map<String, Optional<Payment>>>>() {
				}, List.of(new Line("a", 1)), new TypeReference<List<Object>>() {
				});
		values.forEach((value, type) -> {
			String json = this.codec.write(value, type.getType(), "test-type");
			Object expected = (type.getType().getTypeName().endsWith("Object>"))
					? List.of(Map.of("name", "a", "count", 1)) : value;
			assertThat(read(json, type.getType())).as(json).isEqualTo(expected);
		});
	}

	@Test
	void aSubclassOfTheTypeKeepsItsProperties() {
		Type pair = new TypeReference<Pair<String>>() {
		}.getType();
		assertThat(this.codec.write(new NamedPair("a"), pair, "test-type"))
			.isEqualTo("{\"first\":\"a\",\"name\":\"x\"}");
		assertThat(this.codec.write(new NamedPair("a"), Object.class, "test-type")).contains("\"name\":\"x\"");
		assertThat(this.codec.write(new Card("1"), Serializable.class, "test-type")).contains("card");
	}

	@Test
	void elementsOfAnUnknownTypeGetTheirTypeIds() {
		Map<Object, TypeReference<?>> values = Map.of(List.of(new Card("1"), new Cash(2)),
				new TypeReference<List<Payment>>() {
				}, Map.of("a", List.of(new Card("1"))), new TypeReference<Map<String, List<Payment>>>() {
				}, Optional.of(new Card("1")), new TypeReference<Optional<Payment>>() {
				}, List.of(Optional.of(new Card("1"))), new TypeReference<List<Optional<Payment>>>() {
				});
		values.forEach((value, type) -> assertThat(read(write(value), type.getType())).isEqualTo(value));
		assertThat(write(new Object[] { new Card("1"), 1.50, null }))
			.isEqualTo("[{\"kind\":\"card\",\"number\":\"1\"},1.5,null]");
		assertThat(write(List.of(new BigDecimal("1.50"), "a"))).isEqualTo("[1.50,\"a\"]");
	}

	@Test
	void aTypeIdThatCannotBeWrittenIsAnError() {
		for (Object payload : List.of(new Envelope<>(new Card("1"), List.of()),
				new Envelope<>("a", List.of(new Card("1"))), List.of(new Envelope<>(new Card("1"), List.of())))) {
			assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> write(payload))
				.withMessageContainingAll("test-type", "needs a type id", "type parameter")
				.withMessageNotContaining("number");
		}
		assertThat(write(new Envelope<>("a", List.of(new Line("b", 1))))).contains("\"a\"", "\"b\"");
		Letter letter = new Letter(new Envelope<>(new Card("1"), List.of()));
		assertThat(read(write(letter), Letter.class)).isEqualTo(letter);
	}

	@Test
	void aListThatContainsItselfIsAnErrorOfTheMapper() {
		List<Object> list = new ArrayList<>();
		list.add(list);
		assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> write(list));
	}

	@Test
	void theDefaultTypingOfAMapperIsWrittenAsItIsRead() {
		PayloadCodec typing = new JacksonPayloadCodec(JsonMapper.builder()
			.activateDefaultTyping(BasicPolymorphicTypeValidator.builder().allowIfSubType("io.rowqueue").build(),
					DefaultTyping.OBJECT_AND_NON_CONCRETE)
			.build());
		Shape circle = new Circle(1);
		assertThat(typing.read(typing.write(circle, Shape.class, "test-type"), Shape.class, "test-type"))
			.isEqualTo(circle);
	}

	@Test
	void theCodecWritesAStringAsAJsonString() {
		assertThat(write("{\"a\":1}")).isEqualTo("\"{\\\"a\\\":1}\"");
		assertThat(read(write("text"), String.class)).isEqualTo("text");
	}

	@Test
	void theCodecLeavesAJsonNodeAsItIs() {
		JsonNode node = JsonMapper.shared().readTree("{\"a\":[1,null]}");
		assertThat(write(node)).isEqualTo("{\"a\":[1,null]}");
		assertThat(read("{\"a\":[1,null]}", JsonNode.class)).isEqualTo(node);
	}

	@Test
	void noPayloadIsNoJsonAndReadAsNull() {
		assertThat(write(null)).isNull();
		assertThat(read(null, Order.class)).isNull();
		assertThat(read(null, JsonNode.class)).isNull();
		assertThat(read("null", Order.class)).isNull();
	}

	@Test
	void noJsonIsReadAsAnEmptyOptional() throws Exception {
		Type target = getClass().getDeclaredMethod("optional", Optional.class).getGenericParameterTypes()[0];
		assertThat(read(null, target)).isEqualTo(Optional.empty());
		assertThat(read("{\"name\":\"x\",\"count\":1}", target)).isEqualTo(Optional.of(new Line("x", 1)));
	}

	@Test
	void noJsonCannotBeReadAsAPrimitive() {
		assertThatConversion(null, long.class)
			.withMessage("A job of type 'test-type' has no payload, but its handler takes the primitive type long");
	}

	@Test
	void theCodecNamesTypeAndReasonWhenItCannotWrite() {
		assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> write(new Loop()))
			.withMessageStartingWith(
					"The payload of a job of type 'test-type' cannot be written as JSON: " + Loop.class.getName())
			.withMessageContaining("self-reference");
	}

	@Test
	void theCodecNamesTypeReasonAndPlaceWhenItCannotRead() {
		assertThatConversion("{\"id\":1,\"item\":\"a\",\"lines\":[{\"name\":\"a\",\"count\":\"s3cret\"}]}", Order.class)
			.withMessage("The payload of a job of type 'test-type' cannot be read as " + Order.class.getName()
					+ ": a value of type String does not fit `int` (at $.lines[0].count)");
	}

	@ParameterizedTest
	@ValueSource(strings = { "1e999999999", "-1e400", "1E+309", "17.5e999" })
	void theCodecRejectsANumberThatWouldBecomeInfinite(String number) {
		String json = "{\"name\":\"1e2\",\"amount\":" + number + "}";
		for (Type target : List.of(Map.class, JsonNode.class, Object.class, Amount.class, Approximate.class)) {
			assertThatConversion(json, target)
				.withMessageContaining("cannot be read as " + target.getTypeName() + ": a number does not fit `double`")
				.withMessageNotContaining(number);
		}
		assertThatConversion(json, Map.class).withMessageEndingWith("(at $.…)");
		assertThatConversion(json, Amount.class).withMessageEndingWith("(at $.amount)");
	}

	@Test
	void theCodecRejectsANumberOfManyDigitsThatWouldBecomeInfinite() {
		assertThatConversion("1" + "0".repeat(400) + ".5", Object.class)
			.withMessageContaining("a number does not fit `double`");
		assertThatConversion("1" + "0".repeat(299) + "e50", JsonNode.class)
			.withMessageContaining("a number does not fit `double`");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 150, 190, 199, 200, 201, 350 })
	void theCodecFindsSuchANumberWhereverItBegins(int before) {
		String number = "1" + "0".repeat(310) + ".5";
		assertThatConversion("[\"" + "x".repeat(before) + "\"," + number + ",\"" + "e".repeat(before) + "\"]",
				Object.class)
			.withMessageContaining("a number does not fit `double`");
	}

	/** It would have a billion digits. */
	@Test
	void theCodecRejectsAWholeNumberWithAHugeExponent() {
		assertThatConversion("1e999999999", BigInteger.class).withMessageContaining("cannot be read as");
		assertThatConversion("1e999999999", long.class).withMessageContaining("cannot be read as");
	}

	@Test
	void theCodecReadsAndWritesNumbersThatFitHoweverTheyLook() {
		assertThat(read("1e308", Object.class)).isEqualTo(1e308);
		assertThat(read("[1e-999]", JsonNode.class)).hasToString("[0.0]");
		assertThat(read("{\"name\":\"id 1e999\"}", Map.class)).isEqualTo(Map.of("name", "id 1e999"));
		assertThat(read("1" + "0".repeat(400), Object.class)).isEqualTo(BigInteger.TEN.pow(400));
		BigDecimal big = new BigDecimal("1e999999999");
		assertThat(read("1e999999999", BigDecimal.class)).isEqualTo(big);
		assertThat(write(big)).isEqualTo("1E+999999999");
		assertThat(read(write(Double.POSITIVE_INFINITY), double.class)).isEqualTo(Double.POSITIVE_INFINITY);
	}

	@Test
	void theCodecReportsWhichPropertyIsMissing() {
		assertThatConversion("{\"name\":\"a\"}", Line.class)
			.withMessageEndingWith(": it is missing or null, but `int` needs a value (at $.count); declared as"
					+ " `Integer`, it may be missing");
	}

	@Test
	void theCodecSaysThatAnAbstractTypeNeedsATypeId() {
		assertThatConversion("{\"radius\":31337}", Shape.class)
			.withMessageContainingAll("`" + Shape.class.getTypeName() + "` is abstract", "@JsonTypeInfo")
			.withMessageNotContaining("31337");
		assertThatConversion("{\"shape\":{\"radius\":1}}", Drawing.class).withMessageContainingAll("Shape` is abstract",
				"(at $.shape)");
	}

	/** Their names are those of Jackson, as of subtypes that are named. */
	@Test
	void aSealedTypeNeedsNoListOfItsSubtypes() {
		Drawn circle = new Round(2);
		assertThat(write(circle)).isEqualTo("{\"kind\":\"round\",\"radius\":2}");
		assertThat(read(write(circle), Drawn.class)).isEqualTo(circle);
		assertThatConversion("{\"kind\":\"s3cret\"}", Drawn.class).withMessageContaining("Drawn")
			.withMessageNotContaining("s3cret");
		assertThatConversion("{\"radius\":2}", Drawn.class).withMessageContaining("kind");
	}

	@Test
	void theCodecReportsWhichPropertyIsUnknown() {
		PayloadCodec strict = new JacksonPayloadCodec(JsonMapper.builder()
			.enable(tools.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
			.build());
		assertThatExceptionOfType(PayloadConversionException.class)
			.isThrownBy(
					() -> strict.read("{\"name\":\"a\",\"count\":1,\"colour\":\"s3cret\"}", Line.class, "test-type"))
			.withMessageContaining("Unrecognized property \"colour\"")
			.withMessageNotContaining("s3cret");
	}

	@Test
	void theCodecPassesOnTheErrorOfThePayloadsOwnConstructor() {
		assertThatConversion("{\"percent\":101}", Discount.class)
			.withMessageEndingWith(": java.lang.IllegalArgumentException was thrown")
			.havingCause()
			.isInstanceOf(IllegalArgumentException.class)
			.withMessage("percent must be at most 100");
	}

	@Test
	void theCodecDoesNotRepeatWhatASetterSaysButPassesItOn() {
		assertThatConversion("{\"name\":\"s3cret\"}", Taken.class)
			.withMessageEndingWith(": java.lang.IllegalStateException was thrown (at $.name)")
			.havingCause()
			.withMessage("name s3cret is taken");
	}

	@Test
	void theCodecDoesNotPassOnWhatTheJdkSaysAboutAValue() {
		assertThatConversion("\"com.example.S3cret\"", Class.class)
			.withMessageEndingWith(": java.lang.ClassNotFoundException was thrown")
			.withNoCause();
		assertThatConversion("{\"type\":\"com.example.S3cret\"}", TypeName.class)
			.withMessageEndingWith(": java.lang.ClassNotFoundException was thrown (at $.type)")
			.withNoCause();
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"s3cret\"", "{\"s3cret\":{}}", "[\"s3cret\"]", "31337", "31337.5", "true",
			"{\"name\":\"s3cret\",\"count\":31337313373133731337}", "{\"name\":\"s3cret\",\"count\":\"31337\\\"'x\"}",
			"{\"name\":[\"s3cret\"],\"count\":1}", "{\"name\":\"s3cret\",\"count\":31337.5}", "s3cret", "{'s3cret'}",
			"{\"s3cret\":{\"name\":\"a\",\"count\":\"x\"}}", "{\"name\":\"a\",\"count\":1,\"s3cret\"}",
			"{\"name\":\"s3\\u0001cret" })
	void neverQuotesThePayload(String json) {
		for (Type target : List.of(Line.class, LocalDate.class, int.class, Color.class, Discount.class,
				new TypeReference<List<Line>>() {
				}.getType(), new TypeReference<Map<Integer, Line>>() {
				}.getType())) {
			try {
				read(json, target);
			}
			catch (PayloadConversionException ex) {
				for (Throwable t = ex; t != null; t = t.getCause()) {
					assertThat(t.getMessage()).doesNotContain("s3cret").doesNotContain("31337");
				}
			}
		}
	}

	private org.assertj.core.api.ThrowableAssertAlternative<PayloadConversionException> assertThatConversion(
			String json, Type target) {
		return assertThatExceptionOfType(PayloadConversionException.class).isThrownBy(() -> read(json, target));
	}

	private String write(Object payload) {
		return this.codec.write(payload, "test-type");
	}

	private Object read(String json, Type target) {
		return this.codec.read(json, target, "test-type");
	}

	void optional(Optional<Line> line) {
	}

	record Order(long id, String item, List<Line> lines, Instant at) {
	}

	record RenamedLine(String name, int count) {
	}

	record Amount(String name, double amount) {
	}

	record Approximate(String name, Float amount) {
	}

	record Line(String name, int count) {
	}

	record Discount(int percent) {

		Discount {
			if (percent > 100) {
				throw new IllegalArgumentException("percent must be at most 100");
			}
		}

	}

	enum Color {

		RED

	}

	static class Loop {

		public Loop getSelf() {
			return this;
		}

	}

	record TypeName(Class<?> type) {
	}

	static class Taken {

		public void setName(String name) {
			throw new IllegalStateException("name " + name + " is taken");
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes({ @JsonSubTypes.Type(value = Card.class, name = "card"),
			@JsonSubTypes.Type(value = Cash.class, name = "cash") })
	sealed interface Payment extends Serializable permits Card, Cash {

	}

	record Card(String number) implements Payment {

	}

	record Cash(long cents) implements Payment {

	}

	record Envelope<T>(T content, List<T> more) {

	}

	record Letter(Envelope<Payment> envelope) {

	}

	interface Shape {

	}

	record Circle(int radius) implements Shape {

	}

	record Drawing(Shape shape) {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	sealed interface Drawn permits Round, Angular {

	}

	@JsonTypeName("round")
	record Round(int radius) implements Drawn {

	}

	@JsonTypeName("angular")
	record Angular(int corners) implements Drawn {

	}

	static class Pair<T> {

		public final T first;

		Pair(T first) {
			this.first = first;
		}

	}

	static final class NamedPair extends Pair<String> {

		public final String name = "x";

		NamedPair(String first) {
			super(first);
		}

	}

}
