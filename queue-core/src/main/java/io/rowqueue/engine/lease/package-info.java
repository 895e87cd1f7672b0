/**
 * The jobs that workers hold: statements that claim them, record that they run, and end
 * them.
 */
@NullMarked
package io.rowqueue.engine.lease;

import org.jspecify.annotations.NullMarked;
