/**
 * Tells another system what happened, signed and until it listens.
 */
@NullMarked
package io.pgqueue.sample.webhook;

import org.jspecify.annotations.NullMarked;
