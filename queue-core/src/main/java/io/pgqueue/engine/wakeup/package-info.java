/**
 * Wakes workers, in this process and in others, when jobs arrive.
 */
@NullMarked
package io.pgqueue.engine.wakeup;

import org.jspecify.annotations.NullMarked;
