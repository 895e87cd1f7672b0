/** Auto-configuration of what is measured, recorded and observed: its properties. */
@NullMarked
package io.rowqueue.monitoring.autoconfigure;

import org.jspecify.annotations.NullMarked;
