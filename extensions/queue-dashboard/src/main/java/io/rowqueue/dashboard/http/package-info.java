/**
 * Requests, responses and routes of the dashboard, without any web framework.
 */
@NullMarked
package io.rowqueue.dashboard.http;

import org.jspecify.annotations.NullMarked;
