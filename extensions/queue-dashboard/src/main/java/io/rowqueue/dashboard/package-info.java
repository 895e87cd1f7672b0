/**
 * What an application implements to decide who may use the dashboard.
 */
@NullMarked
package io.rowqueue.dashboard;

import org.jspecify.annotations.NullMarked;
