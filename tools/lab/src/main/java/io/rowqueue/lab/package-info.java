/** Compares the queue with its peers, and injects faults. */
@NullMarked
package io.rowqueue.lab;

import org.jspecify.annotations.NullMarked;
