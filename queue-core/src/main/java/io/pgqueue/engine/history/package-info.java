/**
 * Keeps finished jobs for as long as the application asks, and drops them afterwards.
 */
@NullMarked
package io.pgqueue.engine.history;

import org.jspecify.annotations.NullMarked;
