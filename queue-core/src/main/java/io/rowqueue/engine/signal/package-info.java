/**
 * What handlers wait for between their steps: signals that are sent to their jobs, and
 * times.
 */
@NullMarked
package io.rowqueue.engine.signal;

import org.jspecify.annotations.NullMarked;
