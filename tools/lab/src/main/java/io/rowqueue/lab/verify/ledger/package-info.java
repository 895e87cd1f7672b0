/**
 * What really happened, written down by those to whom it happened, outside the queue's
 * tables.
 */
@NullMarked
package io.rowqueue.lab.verify.ledger;

import org.jspecify.annotations.NullMarked;
