/**
 * Threads, pacing, texts and checks that depend on nothing else of the queue.
 */
@NullMarked
package io.rowqueue.engine.support;

import org.jspecify.annotations.NullMarked;
