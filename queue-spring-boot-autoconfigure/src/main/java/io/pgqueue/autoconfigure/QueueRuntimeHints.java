package io.pgqueue.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/** What the queue reads from the class path, and by reflection. */
class QueueRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources()
			.registerPattern("io/pgqueue/schema/migration/*")
			.registerPattern("io/pgqueue/version.properties");
		BindableRuntimeHintsRegistrar.forTypes(KnownProperties.types()).registerHints(hints);
	}

}
