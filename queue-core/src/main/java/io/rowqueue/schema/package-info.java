/**
 * The parts of the queue's schema with the SQL of their tables, which the module
 * {@code rowqueue-migration} creates, upgrades and validates.
 */
@NullMarked
package io.rowqueue.schema;

import org.jspecify.annotations.NullMarked;
