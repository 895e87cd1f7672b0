/**
 * Products of features: random jobs that combine options in all pairs, and a model apart
 * from the engine that says what must be true of them.
 */
@NullMarked
package io.rowqueue.products;

import org.jspecify.annotations.NullMarked;
