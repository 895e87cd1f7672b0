/**
 * Keeps the queue in order: dead workers, due jobs, old history.
 */
@NullMarked
package io.pgqueue.maintenance;

import org.jspecify.annotations.NullMarked;
