/** Auto-configuration of windows. */
@NullMarked
package io.rowqueue.autoconfigure.window;

import org.jspecify.annotations.NullMarked;
