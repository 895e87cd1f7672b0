package io.rowqueue.autoconfigure.worker;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.rowqueue.autoconfigure.handler.HandlerRegistryFactory;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.history.TypeRetentionStore;
import io.rowqueue.engine.worker.DeclaredAtStart;
import io.rowqueue.engine.worker.WriteAtStart;

/** The retentions that the application declares for types, stored at its start. */
final class RetentionsAtStart implements DeclaredAtStart {

	private final TypeRetentionStore store;

	private final HandlerRegistryFactory types;

	private final WriteAtStart written = new WriteAtStart("retentions of types");

	RetentionsAtStart(TypeRetentionStore store, HandlerRegistryFactory types) {
		this.store = store;
		this.types = types;
	}

	@Override
	public Set<String> write(HandlerRegistry handlers) {
		Map<String, Duration> ages = new TreeMap<>(this.types.declaredRetentions());
		handlers.types().forEach((type) -> {
			Duration age = handlers.options(type).retention();
			if (age != null) {
				ages.put(type, age);
			}
		});
		Set<String> handled = handlers.types();
		this.written.write(() -> this.store.declare(ages, handled));
		return Set.of();
	}

	/** Stores what could not be stored at the start. */
	void writeMissing() {
		this.written.writeMissing();
	}

}
