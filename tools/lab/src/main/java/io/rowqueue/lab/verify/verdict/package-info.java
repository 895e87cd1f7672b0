/** Judges a round by its ledgers and by the queue's tables at its end. */
@NullMarked
package io.rowqueue.lab.verify.verdict;

import org.jspecify.annotations.NullMarked;
