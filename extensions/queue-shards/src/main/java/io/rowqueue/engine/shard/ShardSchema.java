package io.rowqueue.engine.shard;

import io.rowqueue.schema.SchemaPart;

/**
 * The part of the schema for a queue in several databases.
 */
public final class ShardSchema extends SchemaPart {

	/**
	 * Creates the part.
	 */
	public ShardSchema() {
		super("shards");
	}

}
