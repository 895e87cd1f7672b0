/**
 * Flows and batches: jobs that run after each other or are counted together, how far they
 * are, and their administration.
 */
@NullMarked
package io.pgqueue.flow;

import org.jspecify.annotations.NullMarked;
