package io.rowqueue.autoconfigure;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.rowqueue.migration.MigrationLog;
import io.rowqueue.step.JobOutcome;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.core.ResolvableType;

/** Resources and types that the queue reads by reflection. */
class QueueRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources()
			.registerPattern("io/rowqueue/schema/migration/*")
			.registerPattern("io/rowqueue/engine/*/migration/*")
			.registerPattern("io/rowqueue/version.properties")
			.registerPattern("META-INF/spring/" + KnownProperties.class.getName() + ".imports");
		// Flyway creates it by its name
		hints.reflection().registerType(MigrationLog.class, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
		// recorded as JSON
		new BindingReflectionHintsRegistrar().registerReflectionHints(hints.reflection(), JobOutcome.class);
		List<Class<?>> properties = KnownProperties.types();
		BindableRuntimeHintsRegistrar.forTypes(properties).registerHints(hints);
		BindableRuntimeHintsRegistrar.forTypes(properties.stream().flatMap(QueueRuntimeHints::valuesOfMaps).toList())
			.registerHints(hints);
	}

	/** The registrar does not look into maps. */
	private static Stream<Class<?>> valuesOfMaps(Class<?> properties) {
		return properties.isRecord()
				? Arrays.stream(properties.getRecordComponents())
					.filter((component) -> Map.class.isAssignableFrom(component.getType()))
					.map((component) -> ResolvableType.forType(component.getGenericType()).resolveGeneric(1))
				: Stream.empty();
	}

}
