/**
 * Several databases that are one queue. Each of them is a shard: a complete queue with
 * tables, workers and maintenance of its own.
 */
@NullMarked
package io.rowqueue.shard;

import org.jspecify.annotations.NullMarked;
