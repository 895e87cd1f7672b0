/**
 * Connections, transactions and statements: what all stores use to talk to PostgreSQL.
 */
@NullMarked
package io.pgqueue.engine.database;

import org.jspecify.annotations.NullMarked;
