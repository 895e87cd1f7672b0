/**
 * Finds the application's job handlers.
 */
@NullMarked
package io.rowqueue.autoconfigure.handler;

import org.jspecify.annotations.NullMarked;
