/**
 * The queue's tables: created, upgraded and checked at start, or printed as SQL for the
 * owner of the database. {@link io.pgqueue.schema.QueueSchema} is the way in.
 */
@NullMarked
package io.pgqueue.schema;

import org.jspecify.annotations.NullMarked;
