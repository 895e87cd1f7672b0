/**
 * Threads that go on whatever happens, and words for what happened.
 */
@NullMarked
package io.pgqueue.support;

import org.jspecify.annotations.NullMarked;
