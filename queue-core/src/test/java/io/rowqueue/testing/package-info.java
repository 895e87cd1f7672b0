/**
 * The engine as tests see it.
 */
@NullMarked
package io.rowqueue.testing;

import org.jspecify.annotations.NullMarked;
