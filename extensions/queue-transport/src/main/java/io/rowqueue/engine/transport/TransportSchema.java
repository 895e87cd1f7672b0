package io.rowqueue.engine.transport;

import java.util.List;
import java.util.Map;

import io.rowqueue.schema.SchemaPart;

/**
 * The part of the schema for jobs that a message broker carries.
 */
public final class TransportSchema extends SchemaPart {

	/**
	 * Creates the part.
	 */
	public TransportSchema() {
		super("transport");
	}

	@Override
	public Map<String, List<String>> idColumns() {
		return Map.of("job_id_seq", List.of("outbox.id", "parked.job_id"));
	}

}
