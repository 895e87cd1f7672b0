/**
 * What an application implements to decide who may use the dashboard.
 */
@NullMarked
package io.pgqueue.dashboard;

import org.jspecify.annotations.NullMarked;
