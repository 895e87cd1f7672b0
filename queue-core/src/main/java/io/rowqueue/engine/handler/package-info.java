/**
 * Finds the handler of a type, and maps payloads to its arguments.
 */
@NullMarked
package io.rowqueue.engine.handler;

import org.jspecify.annotations.NullMarked;
