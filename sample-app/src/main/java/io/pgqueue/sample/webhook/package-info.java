/**
 * Notifies another system of events by signed webhooks, which are retried until it
 * accepts them.
 */
@NullMarked
package io.pgqueue.sample.webhook;

import org.jspecify.annotations.NullMarked;
