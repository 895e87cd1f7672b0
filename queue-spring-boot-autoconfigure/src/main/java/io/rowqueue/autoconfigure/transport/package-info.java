/**
 * Auto-configuration of jobs that a message broker carries.
 */
@NullMarked
package io.rowqueue.autoconfigure.transport;

import org.jspecify.annotations.NullMarked;
