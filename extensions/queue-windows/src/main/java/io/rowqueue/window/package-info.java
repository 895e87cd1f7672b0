/**
 * Time windows in which queues and types run, and their administration.
 */
@NullMarked
package io.rowqueue.window;

import org.jspecify.annotations.NullMarked;
