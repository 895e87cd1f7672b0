/**
 * Jobs, and the flows and batches that they belong to.
 */
@NullMarked
package io.rowqueue.dashboard.api.job;

import org.jspecify.annotations.NullMarked;
