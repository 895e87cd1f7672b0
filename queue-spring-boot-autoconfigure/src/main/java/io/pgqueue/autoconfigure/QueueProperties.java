package io.pgqueue.autoconfigure;

import io.pgqueue.schema.SchemaMode;
import io.pgqueue.schema.SchemaName;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the job queue.
 *
 * @param enabled Whether the job queue is switched on.
 * @param schema where the tables are
 */
@ConfigurationProperties("queue")
record QueueProperties(@DefaultValue("true") boolean enabled, @DefaultValue Schema schema) {

	/**
	 * The tables of the queue.
	 *
	 * @param name Name of the PostgreSQL schema that holds the queue's tables.
	 * @param mode What to do about the queue's tables at start: create and upgrade them,
	 * or only check them.
	 */
	record Schema(@DefaultValue("queue") String name, @DefaultValue("migrate") SchemaMode mode) {

		Schema {
			try {
				new SchemaName(name);
			}
			catch (IllegalArgumentException ex) {
				// no cause: Boot would show its message and not this one
				throw new IllegalArgumentException(
						"queue.schema.name: " + ex.getMessage() + "; leave the property out for 'queue'");
			}
		}

		SchemaName schemaName() {
			return new SchemaName(this.name);
		}

	}

}
