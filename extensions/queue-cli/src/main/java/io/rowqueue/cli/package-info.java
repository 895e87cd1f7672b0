/**
 * The command line.
 */
@NullMarked
package io.rowqueue.cli;

import org.jspecify.annotations.NullMarked;
