package io.rowqueue.engine.admin;

import java.util.List;
import java.util.Map;

import io.rowqueue.schema.SchemaPart;

/**
 * The part of the schema for operations of administrators.
 */
public final class AdminSchema extends SchemaPart {

	/**
	 * Creates the part.
	 */
	public AdminSchema() {
		super("admin");
	}

	@Override
	public Map<String, List<String>> idColumns() {
		return Map.of("operation_id_seq", List.of("operation.id"));
	}

}
