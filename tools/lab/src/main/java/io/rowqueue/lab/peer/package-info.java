/**
 * Runs one workload of one contestant against a given database and prints what it
 * measured.
 */
@NullMarked
package io.rowqueue.lab.peer;

import org.jspecify.annotations.NullMarked;
