package io.rowqueue.autoconfigure.endpoint;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rowqueue.control.Pause;
import io.rowqueue.limit.Limit;
import io.rowqueue.schedule.Occurrences;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Validity;
import io.rowqueue.window.Window;

/** Records in which every text, however deep, says that it is one. */
final class Filled {

	static final String TEXT = "the text of";

	private static final Map<Class<?>, Object> SAMPLES = Map.ofEntries(Map.entry(int.class, 1),
			Map.entry(long.class, 1L), Map.entry(double.class, 1.0), Map.entry(boolean.class, true),
			Map.entry(Integer.class, 1), Map.entry(Long.class, 1L), Map.entry(Instant.class, Instant.EPOCH),
			Map.entry(Duration.class, Duration.ZERO), Map.entry(ZoneId.class, ZoneId.of("UTC")),
			Map.entry(Limit.class, Limit.of("5, 100/1m")), Map.entry(Window.class, window()),
			Map.entry(Rhythm.class, Rhythm.every(Duration.ofHours(1))),
			Map.entry(Occurrences.class, new Occurrences(Rhythm.every(Duration.ofHours(1)), Validity.ALWAYS, null)));

	private Filled() {
	}

	static <T> T with(Class<T> type) {
		return type.cast(value(type, type.getSimpleName()));
	}

	private static Object value(Type type, String name) {
		if (type instanceof ParameterizedType generic) {
			return collection(generic, name);
		}
		Class<?> plain = (Class<?>) type;
		if (SAMPLES.containsKey(plain)) {
			return SAMPLES.get(plain);
		}
		if (plain == String.class || plain == Object.class) {
			return name.equals("Pause.kind") ? Pause.TYPE : TEXT + " " + name + ": and more";
		}
		return plain.isEnum() ? plain.getEnumConstants()[0] : record(plain);
	}

	private static Window window() {
		return Window.of(TEXT + " Window.name: and more", "UTC", "06:00-07:00")
			.queues(TEXT + " Window.queues: and more")
			.types(TEXT + " Window.types: and more");
	}

	private static Object collection(ParameterizedType generic, String name) {
		Type[] of = generic.getActualTypeArguments();
		if (generic.getRawType() == Map.class) {
			return Map.of("fact", value(of[1], name));
		}
		Object element = value(of[0], name);
		if (element instanceof Pause type) {
			return List.of(type,
					new Pause(Pause.QUEUE, type.name(), type.pausedAt(), type.reason(), type.window(), type.opensAt()));
		}
		return (generic.getRawType() == Set.class) ? Set.of(element) : List.of(element);
	}

	private static Object record(Class<?> type) {
		RecordComponent[] components = type.getRecordComponents();
		try {
			Constructor<?> constructor = type.getDeclaredConstructor(
					Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
			return constructor.newInstance(Arrays.stream(components)
				.map((component) -> value(component.getGenericType(), type.getSimpleName() + "." + component.getName()))
				.toArray());
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("cannot fill " + type, ex);
		}
	}

}
