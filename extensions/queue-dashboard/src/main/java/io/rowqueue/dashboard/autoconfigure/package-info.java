/**
 * Auto-configuration of the dashboard for servlet and reactive applications.
 */
@NullMarked
package io.rowqueue.dashboard.autoconfigure;

import org.jspecify.annotations.NullMarked;
