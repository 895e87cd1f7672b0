package io.rowqueue.dashboard.api.queue;

import java.lang.reflect.Type;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import io.rowqueue.JobHandlers.Registrar;
import io.rowqueue.PayloadCodec;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.handler.RegisteredHandler;
import kotlin.collections.IndexedValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.core.ResolvableType;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.module.kotlin.KotlinModule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/** The schemas of payloads say what the mapper of the application reads. */
class PayloadContractsTests {

	private final JsonMapper mapper = JsonMapper.builder().build();

	@Test
	void aRecordIsAnObjectOfItsComponents() {
		JsonNode schema = schema(Order.class);
		assertThat(schema.get("$schema").asString()).isEqualTo("https://json-schema.org/draft/2020-12/schema");
		assertThat(schema.get("properties").propertyNames()).containsExactly("id", "customer-no", "lines", "counts",
				"color", "placed", "note", "token", "photo", "any", "bonus", "amount", "express");
		assertThat(properties(schema)).containsAllEntriesOf(
				Map.of("id", "{'type':'string'}", "customer-no", "{'type':'string','description':'As on the invoice'}",
						"counts", "{'type':'object','additionalProperties':{'type':'integer','format':'int32'}}",
						"color", "{'type':'string','enum':['red','green']}", "placed",
						"{'type':'string','format':'date-time'}", "note", "{'type':['string','null']}", "token",
						"{'type':'string','format':'uuid'}", "photo", "{'type':'string','contentEncoding':'base64'}"));
		assertThat(properties(schema)).as("what is read by other rules, or as it is")
			.containsAllEntriesOf(
					Map.of("any", "{}", "bonus", "{'type':['integer','null'],'format':'int32'}", "amount", "{}"));
	}

	/** A primitive that is missing is refused by the mapper, too. */
	@Test
	void whatTheMapperRequiresIsRequired() {
		JsonNode line = schema(Order.class).at("/properties/lines/items");
		assertThat(line.get("required").toString()).isEqualTo("[\"quantity\"]");
		assertThatExceptionOfType(DatabindException.class).isThrownBy(() -> this.mapper.readValue("{}", Line.class));
		JsonMapper lenient = this.mapper.rebuild().disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES).build();
		assertThat(schema(lenient, Line.class).has("required")).isFalse();
	}

	@Test
	void namesAreThoseOfTheMapper() {
		JsonMapper snake = this.mapper.rebuild().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
		assertThat(schema(snake, Mutable.class).get("properties").propertyNames()).containsExactly("first_name");
	}

	@Test
	void genericTypesListsAndPlainValuesHaveSchemas() {
		assertThat(text(ResolvableType.forClassWithGenerics(List.class, Line.class).getType())).isEqualTo(
				"{'type':'array','items':{'type':'object','properties':{'sku':{'type':'string'},'quantity':{'type':'integer','format':'int32'}},'required':['quantity']}}");
		assertThat(text(ResolvableType.forClassWithGenerics(Page.class, Color.class).getType())).isEqualTo(
				"{'type':'object','properties':{'items':{'type':'array','items':{'type':'string','enum':['red','green']}}}}");
		assertThat(text(String.class)).isEqualTo("{'type':'string'}");
		assertThat(text(int.class)).isEqualTo("{'type':'integer','format':'int32'}");
		assertThat(text(Tree.class)).isEqualTo(
				"{'type':'object','properties':{'name':{'type':'string'},'children':{'type':'array','items':{'$ref':'#'}}}}");
	}

	@Test
	void theClassesOfASealedInterfaceAreToldApart() {
		assertThat(text(Shape.class)).contains("'kind':{'const':'circle'}", "'kind':{'const':'Square'}", "'radius'",
				"'side'", "anyOf");
		assertThat(this.mapper.writeValueAsString(new Square(1))).contains("\"kind\":\"Square\"");
	}

	/**
	 * A real class of Kotlin:
	 * {@code data class IndexedValue<out T>(val index: Int, val value: T)}.
	 */
	@Test
	void aParameterOfAKotlinConstructorWithoutADefaultIsRequired() {
		JsonMapper kotlin = JsonMapper.builder().addModule(new KotlinModule.Builder().build()).build();
		Type type = ResolvableType.forClassWithGenerics(IndexedValue.class, Line.class).getType();
		JsonNode schema = schema(kotlin, type);
		assertThat(schema.get("properties").propertyNames()).containsExactly("index", "value");
		assertThat(schema.get("required").toString()).contains("\"index\"");
	}

	@Test
	void aHandlerWithoutAPayloadHasNoContract() {
		assertThat(contracts(new JacksonPayloadCodec(this.mapper)).of(handler(null))).isNull();
		HandlerRegistry handlers = HandlerRegistry.builder(new JacksonPayloadCodec(this.mapper))
			.add((Registrar) (registered) -> registered.add("ping", Void.class, (nothing, context) -> {
			}), "test")
			.build();
		assertThat(contracts(handlers.codec()).of(handlers.find("ping").orElseThrow())).isNull();
	}

	@Test
	void aSchemaIsDerivedOnce() {
		PayloadContracts contracts = contracts(new JacksonPayloadCodec(this.mapper));
		assertThat(contracts.of(handler(Line.class))).isSameAs(contracts.of(handler(Line.class)));
	}

	@Test
	void withoutTheLibraryTheReasonIsGiven() {
		PayloadContracts contracts = new PayloadContracts(() -> new JacksonPayloadCodec(this.mapper),
				new FilteredClassLoader("com.github.victools"));
		TypesApi.PayloadContract contract = Objects.requireNonNull(contracts.of(handler(Line.class)));
		assertThat(contract.type()).isEqualTo(Line.class.getName());
		assertThat(contract.schema()).isNull();
		assertThat(contract.reason()).contains("com.github.victools:jsonschema-module-jackson");
	}

	@Test
	void ofTheJsonOfAnotherCodecNothingIsKnown() {
		TypesApi.PayloadContract contract = contracts(mock(PayloadCodec.class)).of(handler(Line.class));
		assertThat(Objects.requireNonNull(contract).reason()).contains("PayloadCodec of the application");
	}

	private static PayloadContracts contracts(PayloadCodec codec) {
		return new PayloadContracts(() -> codec, PayloadContractsTests.class.getClassLoader());
	}

	private static RegisteredHandler handler(@Nullable Type payload) {
		RegisteredHandler handler = mock(RegisteredHandler.class);
		given(handler.payloadType()).willReturn(payload);
		return handler;
	}

	private JsonNode schema(Type type) {
		return schema(this.mapper, type);
	}

	private static JsonNode schema(JsonMapper mapper, Type type) {
		TypesApi.PayloadContract contract = contracts(new JacksonPayloadCodec(mapper)).of(handler(type));
		assertThat(Objects.requireNonNull(contract).reason()).isNull();
		return JsonMapper.shared().readTree(contract.schema());
	}

	private String text(Type type) {
		return quoted(schema(type)).replace("'$schema':'https://json-schema.org/draft/2020-12/schema',", "");
	}

	private static Map<String, String> properties(JsonNode schema) {
		Map<String, String> properties = new TreeMap<>();
		schema.get("properties").forEachEntry((name, each) -> properties.put(name, quoted(each)));
		return properties;
	}

	private static String quoted(JsonNode schema) {
		return schema.toString().replace('"', '\'');
	}

	record Order(Id id, @JsonProperty("customer-no") @JsonPropertyDescription("As on the invoice") String customer,
			List<Line> lines, Map<String, Integer> counts, Color color, Instant placed, Optional<String> note,
			UUID token, byte[] photo, JsonNode any, OptionalInt bonus, Money amount, boolean express) {

	}

	record Line(String sku, int quantity) {

	}

	record Id(@JsonValue String value) {

		@JsonCreator(mode = JsonCreator.Mode.DELEGATING)
		Id {
		}

	}

	record Page<T>(List<T> items) {

	}

	record Tree(String name, List<Tree> children) {

	}

	enum Color {

		RED, GREEN;

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	static class Mutable {

		private String firstName = "";

		@JsonIgnore
		private String hidden = "";

		public String getFirstName() {
			return this.firstName;
		}

		public void setFirstName(String firstName) {
			this.firstName = firstName;
		}

		public String getHidden() {
			return this.hidden;
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	sealed interface Shape permits Circle, Square {

	}

	@JsonTypeName("circle")
	record Circle(double radius) implements Shape {

	}

	@JsonTypeName("Square")
	record Square(double side) implements Shape {

	}

	@JsonDeserialize(using = MoneyReader.class)
	record Money(long cents) {

	}

	static final class MoneyReader extends StdDeserializer<Money> {

		MoneyReader() {
			super(Money.class);
		}

		@Override
		public Money deserialize(JsonParser parser, DeserializationContext context) {
			return new Money(parser.getLongValue());
		}

	}

}
