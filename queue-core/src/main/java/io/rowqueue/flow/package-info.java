/**
 * Flows and batches: jobs with dependencies or that are counted together, their progress
 * and their administration.
 */
@NullMarked
package io.rowqueue.flow;

import org.jspecify.annotations.NullMarked;
