/** Judges a round by its ledgers and by the queue's tables at its end. */
@NullMarked
package io.pgqueue.lab.verify.verdict;

import org.jspecify.annotations.NullMarked;
