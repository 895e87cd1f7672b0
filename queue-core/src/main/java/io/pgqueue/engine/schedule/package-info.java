/**
 * Stores recurring jobs, and enqueues each due time once.
 */
@NullMarked
package io.pgqueue.engine.schedule;

import org.jspecify.annotations.NullMarked;
