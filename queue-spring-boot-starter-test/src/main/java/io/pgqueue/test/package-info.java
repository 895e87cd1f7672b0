/**
 * Tests of what an application enqueues, and of its handlers.
 */
@NullMarked
package io.pgqueue.test;

import org.jspecify.annotations.NullMarked;
