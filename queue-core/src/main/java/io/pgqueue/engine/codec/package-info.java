/**
 * Turns payloads into JSON and back. The only package besides the handlers that knows
 * Jackson.
 */
@NullMarked
package io.pgqueue.engine.codec;

import org.jspecify.annotations.NullMarked;
