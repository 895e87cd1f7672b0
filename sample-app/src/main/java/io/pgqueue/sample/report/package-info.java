/**
 * The nightly report.
 */
@NullMarked
package io.pgqueue.sample.report;

import org.jspecify.annotations.NullMarked;
