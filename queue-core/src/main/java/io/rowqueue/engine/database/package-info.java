/**
 * Connections, transactions and statements of all stores.
 */
@NullMarked
package io.rowqueue.engine.database;

import org.jspecify.annotations.NullMarked;
