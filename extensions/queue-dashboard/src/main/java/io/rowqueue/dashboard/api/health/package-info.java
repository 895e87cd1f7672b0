/**
 * How the queue is, of each database, and who looks at it.
 */
@NullMarked
package io.rowqueue.dashboard.api.health;

import org.jspecify.annotations.NullMarked;
