/**
 * Windows: when queues and types are run.
 */
@NullMarked
package io.pgqueue.window;

import org.jspecify.annotations.NullMarked;
