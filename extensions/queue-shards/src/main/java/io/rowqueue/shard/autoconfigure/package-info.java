/**
 * The shards of a queue that has several databases: each further one has a context of its
 * own.
 */
@NullMarked
package io.rowqueue.shard.autoconfigure;

import org.jspecify.annotations.NullMarked;
