/**
 * Cluster-wide limits of concurrency and rate, and their administration.
 */
@NullMarked
package io.rowqueue.limit;

import org.jspecify.annotations.NullMarked;
