/**
 * Turns payloads into JSON and back. The only package that knows Jackson.
 */
@NullMarked
package io.pgqueue.codec;

import org.jspecify.annotations.NullMarked;
