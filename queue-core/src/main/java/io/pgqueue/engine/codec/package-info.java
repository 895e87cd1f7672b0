/**
 * Converts payloads to JSON and back. Apart from the handlers, only this package uses
 * Jackson.
 */
@NullMarked
package io.pgqueue.engine.codec;

import org.jspecify.annotations.NullMarked;
