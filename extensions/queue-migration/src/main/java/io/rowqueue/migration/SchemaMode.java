package io.rowqueue.migration;

/**
 * What a starting application does with the queue's tables.
 *
 * @since 0.1.0
 */
public enum SchemaMode {

	/** Creates missing tables and upgrades tables of an older version. */
	MIGRATE,

	/** Changes nothing, and fails unless the schema has the required version. */
	VALIDATE

}
