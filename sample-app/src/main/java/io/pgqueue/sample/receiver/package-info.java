/**
 * A receiver of webhooks that is sometimes unavailable.
 */
@NullMarked
package io.pgqueue.sample.receiver;

import org.jspecify.annotations.NullMarked;
