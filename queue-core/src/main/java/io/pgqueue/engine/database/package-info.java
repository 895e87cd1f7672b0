/**
 * Connections, transactions and statements of all stores.
 */
@NullMarked
package io.pgqueue.engine.database;

import org.jspecify.annotations.NullMarked;
