/**
 * Finds the handler of a type, and maps a payload to its argument.
 */
@NullMarked
package io.pgqueue.engine.handler;

import org.jspecify.annotations.NullMarked;
