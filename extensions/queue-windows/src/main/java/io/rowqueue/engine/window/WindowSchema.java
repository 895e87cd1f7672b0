package io.rowqueue.engine.window;

import io.rowqueue.schema.SchemaPart;

/**
 * The part of the schema for time windows.
 */
public final class WindowSchema extends SchemaPart {

	/**
	 * Creates the part.
	 */
	public WindowSchema() {
		super("windows");
	}

}
