/** Compares the queue with its peers, and injects faults. */
@NullMarked
package io.pgqueue.lab;

import org.jspecify.annotations.NullMarked;
