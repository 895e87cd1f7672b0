/**
 * A receiver of webhooks that is sometimes unavailable.
 */
@NullMarked
package io.rowqueue.sample.receiver;

import org.jspecify.annotations.NullMarked;
