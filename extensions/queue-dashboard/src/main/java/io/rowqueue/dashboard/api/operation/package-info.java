/**
 * Changes of many jobs, and what people did.
 */
@NullMarked
package io.rowqueue.dashboard.api.operation;

import org.jspecify.annotations.NullMarked;
