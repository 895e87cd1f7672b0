/**
 * Starts and stops the worker and the maintenance tasks of this process.
 */
@NullMarked
package io.pgqueue.autoconfigure.worker;

import org.jspecify.annotations.NullMarked;
