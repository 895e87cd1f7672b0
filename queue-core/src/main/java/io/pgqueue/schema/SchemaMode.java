package io.pgqueue.schema;

/**
 * What a starting application does about the queue's tables.
 *
 * @since 0.1.0
 */
public enum SchemaMode {

	/** Creates what is missing and upgrades what is older. */
	MIGRATE,

	/** Changes nothing and refuses to start unless everything is in place. */
	VALIDATE

}
