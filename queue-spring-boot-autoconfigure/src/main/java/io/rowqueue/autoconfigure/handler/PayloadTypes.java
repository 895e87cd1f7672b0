package io.rowqueue.autoconfigure.handler;

import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Iterator;

import io.rowqueue.PayloadCodec;
import io.rowqueue.engine.codec.EncryptingPayloadCodec;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.ser.PropertyWriter;
import tools.jackson.databind.ser.impl.UnknownSerializer;

/**
 * Knows what Jackson makes of the types of payloads, before there is one. Of what another
 * {@link PayloadCodec} makes of them, it knows nothing.
 */
final class PayloadTypes {

	private final @Nullable JsonMapper mapper;

	PayloadTypes(PayloadCodec codec) {
		this.mapper = (EncryptingPayloadCodec.plain(codec) instanceof JacksonPayloadCodec jackson) ? jackson.mapper()
				: null;
	}

	/**
	 * Returns why no JSON can be read as a type, or as its elements; continues a sentence
	 * that begins with the type.
	 */
	@Nullable Unreadable unreadable(Type type) {
		return (this.mapper != null) ? unreadable(this.mapper.constructType(type), this.mapper) : null;
	}

	private static @Nullable Unreadable unreadable(JavaType type, JsonMapper mapper) {
		JavaType content = type.getContentType();
		if (content != null) {
			return unreadable(content, mapper);
		}
		ValueDeserializer<?> reader;
		try {
			reader = mapper._deserializationContext().findRootValueDeserializer(type);
		}
		catch (JacksonException ex) {
			return new Unreadable(type, ex.getOriginalMessage(), "Correct the class, or its annotations.");
		}
		if (reader instanceof AbstractDeserializer) {
			return new Unreadable(type, "is abstract, and nothing in the JSON says which class it is",
					"Annotate it with @JsonTypeInfo and, unless it is sealed, with @JsonSubTypes; or take a class.");
		}
		if (reader instanceof BeanDeserializerBase bean && !bean.getValueInstantiator().canInstantiate()) {
			return new Unreadable(type, "has no constructor that Jackson can call",
					KotlinDetector.isKotlinType(type.getRawClass())
							? "Add the dependency io.rowqueue:rowqueue-kotlin, which has Jackson's module for Kotlin."
							: "Make it a record, or annotate a constructor with @JsonCreator.");
		}
		return null;
	}

	/**
	 * Returns whether a record has no such property in its JSON. Other classes may have
	 * subclasses with more properties.
	 * @param path the name of the property, with dots if it leads into nested objects
	 */
	boolean lacks(@Nullable Type type, String path) {
		return this.mapper != null && type != null
				&& lacks(this.mapper.constructType(type), path.split("\\.", -1), 0, this.mapper);
	}

	private static boolean lacks(JavaType type, String[] names, int index, JsonMapper mapper) {
		if (index == names.length || !type.isRecordType()) {
			return false;
		}
		Iterator<PropertyWriter> properties = mapper._serializationContext().findValueSerializer(type).properties();
		if (!properties.hasNext()) {
			return false; // written as another value
		}
		while (properties.hasNext()) {
			PropertyWriter property = properties.next();
			if (property.getName().equals(names[index])) {
				return lacks(property.getType(), names, index + 1, mapper);
			}
		}
		return true;
	}

	/** Returns whether a class has fields, and its objects are written without any. */
	boolean isWrittenEmpty(Class<?> type) {
		if (this.mapper == null || !hasFields(type)) {
			return false;
		}
		return this.mapper._serializationContext().findValueSerializer(type) instanceof UnknownSerializer;
	}

	private static boolean hasFields(@Nullable Class<?> type) {
		return type != null && (Arrays.stream(type.getDeclaredFields())
			.anyMatch((field) -> (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0)
				|| hasFields(type.getSuperclass()));
	}

	/**
	 * A type that no JSON can be read as.
	 *
	 * @param type the type, or that of its elements
	 * @param reason continues a sentence that begins with the type
	 * @param action the remedy, a sentence
	 */
	record Unreadable(JavaType type, String reason, String action) {

	}

}
