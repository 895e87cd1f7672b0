/**
 * Auto-configuration of the job queue.
 */
@NullMarked
package io.pgqueue.autoconfigure;

import org.jspecify.annotations.NullMarked;
