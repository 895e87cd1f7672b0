/** Judges a round by its ledgers and by what the queue's tables say at its end. */
@NullMarked
package io.pgqueue.lab.verify.verdict;

import org.jspecify.annotations.NullMarked;
