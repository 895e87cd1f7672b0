/** Auto-configuration of windows. */
@NullMarked
package io.rowqueue.window.autoconfigure;

import org.jspecify.annotations.NullMarked;
