/**
 * Records figures over time.
 */
@NullMarked
package io.pgqueue.autoconfigure.figures;

import org.jspecify.annotations.NullMarked;
