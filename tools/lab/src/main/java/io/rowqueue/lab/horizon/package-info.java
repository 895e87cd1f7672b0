/**
 * An adapter for the public long-horizon harness of PostgreSQL job queues, and a program
 * that runs its phases on a server of the lab.
 */
@NullMarked
package io.rowqueue.lab.horizon;

import org.jspecify.annotations.NullMarked;
