/**
 * The command line.
 */
@NullMarked
package io.pgqueue.cli;

import org.jspecify.annotations.NullMarked;
