/**
 * The state of jobs over HTTP.
 */
@NullMarked
package io.rowqueue.sample.job;

import org.jspecify.annotations.NullMarked;
