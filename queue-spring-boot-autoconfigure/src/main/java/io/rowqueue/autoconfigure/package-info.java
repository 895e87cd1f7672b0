/**
 * Auto-configuration of the job queue.
 */
@NullMarked
package io.rowqueue.autoconfigure;

import org.jspecify.annotations.NullMarked;
