/**
 * The slots that run jobs, and the jobs that wait for them.
 */
@NullMarked
package io.rowqueue.engine.slot;

import org.jspecify.annotations.NullMarked;
