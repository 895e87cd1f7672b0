/**
 * Runs the workloads of all contestants on one server, one after the other, and writes
 * the table and the chart.
 */
@NullMarked
package io.rowqueue.lab.bench;

import org.jspecify.annotations.NullMarked;
