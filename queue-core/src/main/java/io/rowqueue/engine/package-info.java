/**
 * The implementation. No class in this package or below is API: it may change in every
 * release.
 */
@NullMarked
package io.rowqueue.engine;

import org.jspecify.annotations.NullMarked;
