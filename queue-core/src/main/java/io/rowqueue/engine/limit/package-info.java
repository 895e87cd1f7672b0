/**
 * Stores limits, and admits jobs with limit keys when there is room.
 */
@NullMarked
package io.rowqueue.engine.limit;

import org.jspecify.annotations.NullMarked;
