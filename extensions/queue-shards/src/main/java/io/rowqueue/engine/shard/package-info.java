/**
 * The queue of several databases, composed of one queue for each of them.
 */
@NullMarked
package io.rowqueue.engine.shard;

import org.jspecify.annotations.NullMarked;
