package io.rowqueue.engine.measure;

import java.util.Set;

import io.rowqueue.schema.SchemaPart;

/**
 * The part of the schema for figures, measurements and groups of errors.
 */
public final class MonitoringSchema extends SchemaPart {

	/**
	 * Creates the part.
	 */
	public MonitoringSchema() {
		super("monitoring");
	}

	/** Without privileges, there are no figures; the start warns. */
	@Override
	public Set<String> optionalTables() {
		return Set.of("tally", "gauge", "process", "error_group");
	}

}
