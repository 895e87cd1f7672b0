/**
 * The loop of maintenance: tasks that one process of the cluster performs at a time.
 */
@NullMarked
package io.rowqueue.engine.maintenance;

import org.jspecify.annotations.NullMarked;
