/**
 * Finds workers that died, and gives their jobs back.
 */
@NullMarked
package io.pgqueue.engine.recovery;

import org.jspecify.annotations.NullMarked;
