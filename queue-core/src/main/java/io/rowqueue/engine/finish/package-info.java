/**
 * Writes the outcomes of attempts to the database, many at once.
 */
@NullMarked
package io.rowqueue.engine.finish;

import org.jspecify.annotations.NullMarked;
