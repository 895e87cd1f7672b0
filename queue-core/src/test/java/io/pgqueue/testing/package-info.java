/**
 * The engine as tests see it.
 */
@NullMarked
package io.pgqueue.testing;

import org.jspecify.annotations.NullMarked;
