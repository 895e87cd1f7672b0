/**
 * Notifies another system of events by signed webhooks, which are retried until it
 * accepts them.
 */
@NullMarked
package io.rowqueue.sample.webhook;

import org.jspecify.annotations.NullMarked;
