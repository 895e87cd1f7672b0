/**
 * Hands new jobs to a message broker: they are stored in the caller's transaction, and
 * published after its commit.
 */
@NullMarked
package io.rowqueue.engine.outbox;

import org.jspecify.annotations.NullMarked;
