/**
 * Recurring jobs and windows.
 */
@NullMarked
package io.pgqueue.dashboard.api.schedule;

import org.jspecify.annotations.NullMarked;
