/**
 * The report of each night.
 */
@NullMarked
package io.pgqueue.sample.report;

import org.jspecify.annotations.NullMarked;
