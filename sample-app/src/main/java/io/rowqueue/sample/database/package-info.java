/**
 * The PostgreSQL that comes with the application when none is configured.
 */
@NullMarked
package io.rowqueue.sample.database;

import org.jspecify.annotations.NullMarked;
