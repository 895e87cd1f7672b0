/**
 * The API of applications: enqueueing jobs and declaring handlers.
 */
@NullMarked
package io.pgqueue;

import org.jspecify.annotations.NullMarked;
