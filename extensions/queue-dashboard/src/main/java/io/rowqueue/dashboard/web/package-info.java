/**
 * The pages of the dashboard and the files that they load.
 */
@NullMarked
package io.rowqueue.dashboard.web;

import org.jspecify.annotations.NullMarked;
