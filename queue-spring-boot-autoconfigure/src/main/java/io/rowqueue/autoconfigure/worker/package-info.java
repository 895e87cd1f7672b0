/**
 * Starts and stops the worker and the maintenance tasks of this process.
 */
@NullMarked
package io.rowqueue.autoconfigure.worker;

import org.jspecify.annotations.NullMarked;
