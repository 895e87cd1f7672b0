/**
 * The jobs that workers hold: the statements that claim them, show that they run, and end
 * them.
 */
@NullMarked
package io.pgqueue.engine.lease;

import org.jspecify.annotations.NullMarked;
