/**
 * Support for tests of job handlers and of components that enqueue jobs.
 */
@NullMarked
package io.rowqueue.test;

import org.jspecify.annotations.NullMarked;
