/**
 * Changes jobs, queues and types on behalf of the application, in its transaction.
 */
@NullMarked
package io.rowqueue.engine.control;

import org.jspecify.annotations.NullMarked;
