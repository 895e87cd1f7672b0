/**
 * Stores windows, and opens and closes them.
 */
@NullMarked
package io.rowqueue.engine.window;

import org.jspecify.annotations.NullMarked;
