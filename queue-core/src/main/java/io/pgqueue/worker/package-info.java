/**
 * Claims jobs, runs them, and writes down what became of them.
 */
@NullMarked
package io.pgqueue.worker;

import org.jspecify.annotations.NullMarked;
