/** Auto-configuration of recurring jobs. */
@NullMarked
package io.rowqueue.schedule.autoconfigure;

import org.jspecify.annotations.NullMarked;
