/**
 * The queue's connections: which database, over which pool, with which address.
 */
@NullMarked
package io.pgqueue.autoconfigure.connection;

import org.jspecify.annotations.NullMarked;
