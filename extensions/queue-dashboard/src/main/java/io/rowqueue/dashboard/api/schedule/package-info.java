/**
 * Recurring jobs and windows.
 */
@NullMarked
package io.rowqueue.dashboard.api.schedule;

import org.jspecify.annotations.NullMarked;
