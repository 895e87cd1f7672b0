/**
 * The queue's tables: created, upgraded and validated at the start of an application, or
 * printed as SQL for the owner of the database. {@link io.rowqueue.schema.QueueSchema} is
 * the entry point.
 */
@NullMarked
package io.rowqueue.schema;

import org.jspecify.annotations.NullMarked;
