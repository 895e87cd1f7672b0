/**
 * The API of applications: enqueueing jobs and declaring handlers.
 */
@NullMarked
package io.rowqueue;

import org.jspecify.annotations.NullMarked;
