/**
 * Finds the application's job handlers, and calls those that are methods of beans.
 */
@NullMarked
package io.rowqueue.autoconfigure.handler;

import org.jspecify.annotations.NullMarked;
