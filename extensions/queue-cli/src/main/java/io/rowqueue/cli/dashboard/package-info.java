/**
 * Serves the dashboards of several databases, without an application.
 */
@NullMarked
package io.rowqueue.cli.dashboard;

import org.jspecify.annotations.NullMarked;
