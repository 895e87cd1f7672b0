/**
 * Declares workers dead and recovers their jobs.
 */
@NullMarked
package io.rowqueue.engine.recovery;

import org.jspecify.annotations.NullMarked;
