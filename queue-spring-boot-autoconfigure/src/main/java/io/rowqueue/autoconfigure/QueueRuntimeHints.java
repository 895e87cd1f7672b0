package io.rowqueue.autoconfigure;

import java.util.List;

import io.rowqueue.schema.MigrationLog;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/** Resources and types that the queue reads by reflection. */
class QueueRuntimeHints implements RuntimeHintsRegistrar {

	private static final List<Class<?>> VALUES_OF_MAPS = List.of(JobTypeProperties.class, RecurringJobProperties.class,
			WindowProperties.class, CalendarProperties.class, ShardProperties.class);

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources()
			.registerPattern("io/rowqueue/schema/migration/*")
			.registerPattern("io/rowqueue/version.properties");
		// Flyway creates it by its name
		hints.reflection().registerType(MigrationLog.class, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
		BindableRuntimeHintsRegistrar.forTypes(KnownProperties.types()).registerHints(hints);
		BindableRuntimeHintsRegistrar.forTypes(VALUES_OF_MAPS).registerHints(hints);
	}

}
