/**
 * The queue's connections: which database, over which pool, with which address.
 */
@NullMarked
package io.rowqueue.autoconfigure.connection;

import org.jspecify.annotations.NullMarked;
