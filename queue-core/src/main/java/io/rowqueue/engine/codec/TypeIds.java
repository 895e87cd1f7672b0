package io.rowqueue.engine.codec;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

/**
 * Knows which values need a type id, as those of classes with {@code @JsonTypeInfo} do to
 * be read. Jackson decides by the declared type of an element or property, which a value
 * of a generic class does not know: it would write no id there.
 */
final class TypeIds {

	/** As deep as Jackson writes. */
	private static final int MAX_DEPTH = StreamWriteConstraints.DEFAULT_MAX_DEPTH;

	private final JsonMapper mapper;

	private final Map<Class<?>, Boolean> needed = new ConcurrentHashMap<>();

	TypeIds(JsonMapper mapper) {
		this.mapper = mapper;
	}

	/**
	 * Returns the type to write a value as that is read as a declared one. A subclass
	 * keeps its own properties.
	 * @return the type, or {@code null} if the value knows it as well
	 */
	@Nullable JavaType typeOf(Object value, Type declared) {
		JavaType type = this.mapper.constructType(declared);
		if (!type.getRawClass().isInstance(value)) {
			return null;
		}
		if (isTypedByDefault()) {
			return type;
		}
		if (!type.hasGenericTypes()) {
			return null;
		}
		try {
			return this.mapper.getTypeFactory().constructSpecializedType(type, value.getClass());
		}
		catch (IllegalArgumentException ex) {
			// a subclass whose type parameters are others
			return type;
		}
	}

	/**
	 * Returns what is to be written for a value whose declared type is not known: the
	 * elements of collections get their type ids.
	 * @throws LostException if a property would be written without the type id that it
	 * needs
	 */
	Object addTo(Object value) {
		return isTypedByDefault() ? value : withElements(value, 0);
	}

	private Object withElements(Object value, int depth) {
		if (depth > MAX_DEPTH) {
			return value;
		}
		if (value instanceof Collection<?> collection) {
			List<@Nullable Object> elements = new ArrayList<>(collection.size());
			boolean changed = false;
			for (Object each : collection) {
				Object element = element(each, depth);
				changed |= element != each;
				elements.add(element);
			}
			return changed ? elements : value;
		}
		if (value instanceof Map<?, ?> map) {
			Map<@Nullable Object, @Nullable Object> elements = new LinkedHashMap<>();
			boolean changed = false;
			for (Map.Entry<?, ?> each : map.entrySet()) {
				Object element = element(each.getValue(), depth);
				changed |= element != each.getValue();
				elements.put(each.getKey(), element);
			}
			return changed ? elements : value;
		}
		if (value instanceof Optional<?> optional) {
			Object element = element(optional.orElse(null), depth);
			return (element != null && element != optional.get()) ? element : value;
		}
		if (value instanceof Object[] array && array.getClass() == Object[].class) {
			List<@Nullable Object> list = Arrays.asList(array);
			Object elements = withElements(list, depth);
			return (elements != list) ? elements : value;
		}
		if (value.getClass().getTypeParameters().length > 0) {
			checkProperties(value, depth);
		}
		return value;
	}

	private @Nullable Object element(@Nullable Object value, int depth) {
		if (value == null) {
			return null;
		}
		return isNeededBy(value) ? new RawValue(this.mapper.writeValueAsString(value)) : withElements(value, depth + 1);
	}

	/** A property whose type is a parameter of its class is written like an element. */
	private void checkProperties(Object value, int depth) {
		for (Class<?> type = value.getClass(); type != null; type = type.getSuperclass()) {
			for (Field field : type.getDeclaredFields()) {
				int modifiers = field.getModifiers();
				if (!Modifier.isStatic(modifiers) && !Modifier.isTransient(modifiers)
						&& dependsOnParameter(field.getGenericType()) && field.trySetAccessible()) {
					checkProperty(value, field, depth);
				}
			}
		}
	}

	private void checkProperty(Object value, Field field, int depth) {
		Object property = get(field, value);
		if (property != null && element(property, depth) != property) {
			throw new LostException(("the property '%s' needs a type id, which cannot be written, since the type of the"
					+ " property is a type parameter. Use a class without type parameters, such as a record with a"
					+ " property of the complete type")
				.formatted(field.getName()));
		}
	}

	private static @Nullable Object get(Field field, Object value) {
		try {
			return field.get(value);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static boolean dependsOnParameter(Type type) {
		return type instanceof TypeVariable || (type instanceof ParameterizedType generic
				&& Arrays.stream(generic.getActualTypeArguments()).anyMatch(TypeIds::dependsOnParameter));
	}

	private boolean isNeededBy(Object value) {
		return this.needed.computeIfAbsent(value.getClass(), (type) -> this.mapper._serializationContext()
			.findTypeSerializer(this.mapper.constructType(type)) != null);
	}

	/** Whether the mapper writes type ids by itself, by its default typing. */
	private boolean isTypedByDefault() {
		return this.mapper.serializationConfig().getDefaultTyper(this.mapper.constructType(Object.class)) != null;
	}

	/** A type id that is needed would not be written. */
	static final class LostException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		LostException(String message) {
			super(message);
		}

	}

}
