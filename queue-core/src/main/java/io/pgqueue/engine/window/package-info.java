/**
 * Stores windows, and opens and closes them.
 */
@NullMarked
package io.pgqueue.engine.window;

import org.jspecify.annotations.NullMarked;
