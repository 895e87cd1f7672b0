/**
 * Finds the application's job handlers.
 */
@NullMarked
package io.pgqueue.autoconfigure.handler;

import org.jspecify.annotations.NullMarked;
