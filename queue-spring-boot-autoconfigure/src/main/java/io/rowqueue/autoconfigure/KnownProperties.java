package io.rowqueue.autoconfigure;

import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.rowqueue.engine.support.PropertyName;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * The names of the queue's properties, as its records bind them. Each module names its
 * records in {@code META-INF/spring/io.rowqueue.autoconfigure.KnownProperties.imports}.
 * The key of a map is an element {@code [*]}.
 */
final class KnownProperties {

	/** A name with more differences is not suggested. */
	private static final int MAX_EDITS = 3;

	private final List<ConfigurationPropertyName> names = new ArrayList<>();

	KnownProperties() {
		for (Class<?> type : types()) {
			ConfigurationProperties annotation = Objects
				.requireNonNull(type.getAnnotation(ConfigurationProperties.class));
			addAll(ConfigurationPropertyName.of(annotation.value()), type);
		}
	}

	/** The records of properties of all modules that are there: each names its own. */
	static List<Class<?>> types() {
		ClassLoader loader = KnownProperties.class.getClassLoader();
		List<Class<?>> types = new ArrayList<>();
		ImportCandidates.load(KnownProperties.class, loader)
			.forEach((name) -> types.add(ClassUtils.resolveClassName(name, loader)));
		return types;
	}

	private void addAll(ConfigurationPropertyName prefix, Class<?> type) {
		for (Parameter parameter : type.getDeclaredConstructors()[0].getParameters()) {
			ConfigurationPropertyName name = prefix.append(DataObjectPropertyName.toDashedForm(parameter.getName()));
			if (Map.class.isAssignableFrom(parameter.getType())) {
				add(name.append("[*]"), ResolvableType.forType(parameter.getParameterizedType()).resolveGeneric(1));
			}
			else {
				add(name, parameter.getType());
			}
		}
	}

	private void add(ConfigurationPropertyName name, @Nullable Class<?> type) {
		if (type != null && type.isRecord()) {
			addAll(name, type);
		}
		else {
			this.names.add(name);
			if (type != null && Collection.class.isAssignableFrom(type)) {
				this.names.add(name.append("[*]"));
			}
		}
	}

	/** Whether it is the name of a property, or the beginning of one. */
	boolean contains(ConfigurationPropertyName name) {
		return this.names.stream()
			.anyMatch((known) -> name.getNumberOfElements() <= known.getNumberOfElements()
					&& IntStream.range(0, name.getNumberOfElements())
						.allMatch((i) -> isKey(known, i) || element(known, i).equals(element(name, i))));
	}

	/**
	 * Whether an environment variable sets a known property. Its underscores may stand
	 * for dots, dashes or nothing.
	 */
	boolean containsVariable(ConfigurationPropertyName name) {
		String letters = letters(name, 0, name.getNumberOfElements());
		return this.names.stream()
			.map((known) -> IntStream.range(0, known.getNumberOfElements())
				.mapToObj((i) -> isKey(known, i) ? ".+" : element(known, i))
				.collect(Collectors.joining()))
			.anyMatch(letters::matches);
	}

	/** Returns the most similar known name. */
	Optional<String> nearest(ConfigurationPropertyName name) {
		return this.names.stream()
			.filter((known) -> known.getNumberOfElements() < name.getNumberOfElements())
			.flatMap((known) -> withBrackets(known, name).stream())
			.findFirst()
			.or(() -> this.names.stream()
				.filter((known) -> known.getNumberOfElements() == name.getNumberOfElements())
				.min(Comparator.comparingInt((known) -> edits(known, name)))
				.filter((known) -> edits(known, name) <= MAX_EDITS)
				.map((known) -> withKeys(known, name)));
	}

	/** The name with the elements of one key in brackets, if that is a known one. */
	private static Optional<String> withBrackets(ConfigurationPropertyName known, ConfigurationPropertyName name) {
		int more = name.getNumberOfElements() - known.getNumberOfElements();
		int key = IntStream.range(0, known.getNumberOfElements()).filter((i) -> isKey(known, i)).findFirst().orElse(-1);
		if (key < 0 || !letters(name, 0, key).equals(letters(known, 0, key))
				|| !letters(name, key + more + 1, name.getNumberOfElements())
					.equals(letters(known, key + 1, known.getNumberOfElements()))) {
			return Optional.empty();
		}
		String joined = String.join(".",
				IntStream.rangeClosed(key, key + more).mapToObj((i) -> name.getElement(i, Form.ORIGINAL)).toList());
		return Optional.of(known.toString().replace("[*]", PropertyName.of("", joined)));
	}

	private static int edits(ConfigurationPropertyName known, ConfigurationPropertyName name) {
		return IntStream.range(0, known.getNumberOfElements())
			.map((i) -> isKey(known, i) ? 0 : edits(element(known, i), element(name, i)))
			.sum();
	}

	/** Returns the Levenshtein distance. */
	private static int edits(String one, String other) {
		int[] last = IntStream.rangeClosed(0, other.length()).toArray();
		for (int i = 1; i <= one.length(); i++) {
			int[] row = new int[other.length() + 1];
			row[0] = i;
			for (int j = 1; j <= other.length(); j++) {
				int replaced = last[j - 1] + ((one.charAt(i - 1) == other.charAt(j - 1)) ? 0 : 1);
				row[j] = Math.min(replaced, Math.min(last[j], row[j - 1]) + 1);
			}
			last = row;
		}
		return last[other.length()];
	}

	private static String withKeys(ConfigurationPropertyName known, ConfigurationPropertyName name) {
		String result = known.getElement(0, Form.ORIGINAL);
		for (int i = 1; i < known.getNumberOfElements(); i++) {
			result = PropertyName.of(result, (isKey(known, i) ? name : known).getElement(i, Form.ORIGINAL));
		}
		return result;
	}

	private static boolean isKey(ConfigurationPropertyName known, int index) {
		return known.getElement(index, Form.ORIGINAL).equals("*");
	}

	private static String element(ConfigurationPropertyName name, int index) {
		return name.getElement(index, Form.UNIFORM);
	}

	private static String letters(ConfigurationPropertyName name, int from, int to) {
		return IntStream.range(from, to).mapToObj((i) -> element(name, i)).collect(Collectors.joining());
	}

}
