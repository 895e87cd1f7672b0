/**
 * The nightly report.
 */
@NullMarked
package io.rowqueue.sample.report;

import org.jspecify.annotations.NullMarked;
