/**
 * The shards of a queue that has several databases: each further one has a context of its
 * own.
 */
@NullMarked
package io.rowqueue.autoconfigure.shard;

import org.jspecify.annotations.NullMarked;
