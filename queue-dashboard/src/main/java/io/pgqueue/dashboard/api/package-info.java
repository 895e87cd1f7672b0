/**
 * The JSON API of the dashboard, one class for each resource.
 */
@NullMarked
package io.pgqueue.dashboard.api;

import org.jspecify.annotations.NullMarked;
