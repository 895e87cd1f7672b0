/**
 * What an application touches: enqueue jobs, declare handlers.
 */
@NullMarked
package io.pgqueue;

import org.jspecify.annotations.NullMarked;
