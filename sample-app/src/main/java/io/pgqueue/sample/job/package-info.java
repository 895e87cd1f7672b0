/**
 * The state of jobs over HTTP.
 */
@NullMarked
package io.pgqueue.sample.job;

import org.jspecify.annotations.NullMarked;
