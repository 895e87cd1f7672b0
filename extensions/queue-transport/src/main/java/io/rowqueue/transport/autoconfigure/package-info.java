/**
 * Auto-configuration of jobs that a message broker carries.
 */
@NullMarked
package io.rowqueue.transport.autoconfigure;

import org.jspecify.annotations.NullMarked;
