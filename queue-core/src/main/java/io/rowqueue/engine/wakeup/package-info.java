/**
 * Wakes workers, in this process and in others, when jobs arrive.
 */
@NullMarked
package io.rowqueue.engine.wakeup;

import org.jspecify.annotations.NullMarked;
