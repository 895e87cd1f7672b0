/**
 * Plays the other system: takes webhooks, and is out of order now and then.
 */
@NullMarked
package io.pgqueue.sample.receiver;

import org.jspecify.annotations.NullMarked;
