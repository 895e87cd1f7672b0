/**
 * The queue's tables: created, upgraded and validated at the start of an application, or
 * printed as SQL for the owner of the database. {@link io.rowqueue.migration.QueueSchema}
 * is the entry point.
 */
@NullMarked
package io.rowqueue.migration;

import org.jspecify.annotations.NullMarked;
