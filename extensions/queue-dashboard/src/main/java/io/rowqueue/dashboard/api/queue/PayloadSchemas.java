package io.rowqueue.dashboard.api.queue;

import java.lang.reflect.Type;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import com.fasterxml.classmate.ResolvedType;
import com.github.victools.jsonschema.generator.CustomDefinition;
import com.github.victools.jsonschema.generator.CustomDefinition.AttributeInclusion;
import com.github.victools.jsonschema.generator.CustomDefinition.DefinitionType;
import com.github.victools.jsonschema.generator.CustomDefinitionProviderV2;
import com.github.victools.jsonschema.generator.FieldScope;
import com.github.victools.jsonschema.generator.MemberScope;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerationContext;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import com.github.victools.jsonschema.module.jackson.JacksonSchemaModule;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.FromStringDeserializer;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.type.TypeFactory;

/**
 * Derives JSON Schemas of types. The generator knows classes and generic types; what it
 * cannot know is asked of the mapper that reads the payloads: the names of properties,
 * which of them it reads and requires, subtypes, and types that are not read property by
 * property. Not thread-safe.
 */
final class PayloadSchemas {

	/** Where deserializers are whose JSON the generator knows. */
	private static final String JACKSON = "tools.jackson.databind.";

	private static final OptionPreset OPTIONS = new OptionPreset(Option.PUBLIC_NONSTATIC_FIELDS,
			Option.NONPUBLIC_NONSTATIC_FIELDS_WITH_GETTERS, Option.NONPUBLIC_NONSTATIC_FIELDS_WITHOUT_GETTERS,
			Option.ADDITIONAL_FIXED_TYPES, Option.SCHEMA_VERSION_INDICATOR, Option.EXTRA_OPEN_API_FORMAT_VALUES,
			Option.STANDARD_FORMATS, Option.MAP_VALUES_AS_ADDITIONAL_PROPERTIES, Option.PLAIN_DEFINITION_KEYS,
			Option.ALLOF_CLEANUP_AT_THE_END, Option.DUPLICATE_MEMBER_ATTRIBUTE_CLEANUP_AT_THE_END);

	private static final Comparator<MemberScope<?, ?>> AS_DECLARED = (unused, unusedOther) -> 0;

	private final JsonMapper mapper;

	private final SchemaGenerator generator;

	private final CustomDefinitionProviderV2 asRead = this::asRead;

	PayloadSchemas(JsonMapper mapper) {
		this.mapper = mapper;
		SchemaGeneratorConfigBuilder builder = new SchemaGeneratorConfigBuilder(SchemaVersion.DRAFT_2020_12, OPTIONS);
		builder.forFields()
			.withIgnoreCheck((field) -> property(field).isEmpty())
			.withPropertyNameOverrideResolver(
					(field) -> property(field).map(BeanPropertyDefinition::getName).orElse(null))
			.withRequiredCheck((field) -> property(field).filter(this::isRequired).isPresent());
		builder.forTypesInGeneral()
			.withPropertySorter(AS_DECLARED)
			.withSubtypeResolver(this::subtypes)
			.withCustomDefinitionProvider(this.asRead);
		this.generator = new SchemaGenerator(builder.with(new JacksonSchemaModule()).build());
	}

	/** Returns the schema of a type. */
	JsonNode of(Type type) {
		return this.generator.generateSchema(type);
	}

	private Optional<BeanPropertyDefinition> property(FieldScope field) {
		return this.mapper._deserializationContext()
			.introspectBeanDescription(javaType(field.getDeclaringType()))
			.findProperties()
			.stream()
			.filter((property) -> property.getInternalName().equals(field.getDeclaredName()))
			.findFirst();
	}

	private boolean isRequired(BeanPropertyDefinition property) {
		Boolean declared = property.getMetadata().getRequired();
		return (declared != null) ? declared
				: property.hasConstructorParameter()
						&& (this.mapper.isEnabled(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
								|| (property.getRawPrimaryType().isPrimitive()
										&& this.mapper.isEnabled(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)));
	}

	/**
	 * Also those that only the mapper knows, such as the classes of a sealed interface.
	 */
	private @Nullable List<ResolvedType> subtypes(ResolvedType type, SchemaGenerationContext context) {
		if (!type.isAbstract()) {
			return null;
		}
		DeserializationContext reader = this.mapper._deserializationContext();
		AnnotatedClass described = reader.introspectClassAnnotations(javaType(type));
		List<ResolvedType> found = reader.getConfig()
			.getSubtypeResolver()
			.collectAndResolveSubtypesByTypeId(reader.getConfig(), described)
			.stream()
			.map(NamedType::getType)
			.filter((each) -> each != type.getErasedType())
			.<ResolvedType>map((each) -> context.getTypeContext().resolveSubtype(type, each))
			.toList();
		return found.isEmpty() ? null : found;
	}

	/** Returns {@code null} if the generator knows how the type is read. */
	private @Nullable CustomDefinition asRead(ResolvedType type, SchemaGenerationContext context) {
		JavaType read = javaType(type);
		ObjectNode schema = this.mapper.createObjectNode();
		if (type.getErasedType() == byte[].class) {
			return inline(schema.put("type", "string").put("contentEncoding", "base64"));
		}
		if (read.isReferenceType()) {
			return inline(context.makeNullable(context.createDefinition(resolved(read.getContentType(), context))));
		}
		if (read.isContainerType()) {
			return null;
		}
		DeserializationContext reader = this.mapper._deserializationContext();
		ValueDeserializer<?> deserializer = reader.findNonContextualValueDeserializer(read);
		if (!deserializer.getClass().getName().startsWith(JACKSON)) {
			return inline(schema);
		}
		if (read.isEnumType()) {
			schema.put("type", "string")
				.putArray("enum")
				.addAll(List.of(read.getRawClass().getEnumConstants())
					.stream()
					.<JsonNode>map(this.mapper::valueToTree)
					.toList());
			return new CustomDefinition(schema, DefinitionType.STANDARD, AttributeInclusion.YES);
		}
		if (deserializer instanceof BeanDeserializerBase bean) {
			return notByProperties(bean, context);
		}
		boolean unknown = !(deserializer instanceof AbstractDeserializer)
				&& "object".equals(context.createStandardDefinition(type, this.asRead).path("type").asString(null));
		if (unknown && deserializer instanceof FromStringDeserializer) {
			schema.put("type", "string");
		}
		return unknown ? inline(schema) : null;
	}

	/** A class that is read as the only argument of its creator. */
	private @Nullable CustomDefinition notByProperties(BeanDeserializerBase bean, SchemaGenerationContext context) {
		ValueInstantiator creator = bean.getValueInstantiator();
		JavaType argument = creator.getDelegateType(this.mapper.deserializationConfig());
		if (argument != null) {
			return inline(context.createDefinitionReference(resolved(argument, context)));
		}
		if (bean.getPropertyCount() > 0 || creator.canCreateUsingDefault()) {
			return null;
		}
		ObjectNode schema = this.mapper.createObjectNode();
		return inline(creator.canCreateFromString() ? schema.put("type", "string") : schema);
	}

	private static CustomDefinition inline(ObjectNode schema) {
		return new CustomDefinition(schema, true);
	}

	private JavaType javaType(ResolvedType type) {
		TypeFactory types = this.mapper.getTypeFactory();
		Class<?> raw = type.getErasedType();
		return (type.getTypeParameters().isEmpty() || raw.isArray()) ? types.constructType(raw)
				: types.constructParametricType(raw,
						type.getTypeParameters().stream().map(this::javaType).toArray(JavaType[]::new));
	}

	private static ResolvedType resolved(JavaType type, SchemaGenerationContext context) {
		return context.getTypeContext()
			.resolve(type.getRawClass(),
					type.isArrayType() ? new Type[0]
							: type.getBindings()
								.getTypeParameters()
								.stream()
								.map((each) -> resolved(each, context))
								.toArray(Type[]::new));
	}

}
