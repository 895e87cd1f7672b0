/**
 * Keeps finished jobs as long as configured, and deletes them afterwards.
 */
@NullMarked
package io.rowqueue.engine.history;

import org.jspecify.annotations.NullMarked;
