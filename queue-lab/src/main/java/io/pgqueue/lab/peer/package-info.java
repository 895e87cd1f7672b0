/**
 * The product as one peer among others: runs one workload against a given database and
 * prints what it measured.
 */
@NullMarked
package io.pgqueue.lab.peer;

import org.jspecify.annotations.NullMarked;
