/**
 * Declares workers dead and recovers their jobs.
 */
@NullMarked
package io.pgqueue.engine.recovery;

import org.jspecify.annotations.NullMarked;
