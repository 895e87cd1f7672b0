/**
 * Tells workers, in this process and in others, that jobs arrived.
 */
@NullMarked
package io.pgqueue.wakeup;

import org.jspecify.annotations.NullMarked;
