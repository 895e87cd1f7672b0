/**
 * Keeps finished jobs as long as configured, and deletes them afterwards.
 */
@NullMarked
package io.pgqueue.engine.history;

import org.jspecify.annotations.NullMarked;
