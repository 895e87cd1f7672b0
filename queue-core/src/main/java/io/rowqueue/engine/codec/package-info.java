/**
 * Converts payloads to JSON and back. Apart from the handlers, only this package uses
 * Jackson.
 */
@NullMarked
package io.rowqueue.engine.codec;

import org.jspecify.annotations.NullMarked;
