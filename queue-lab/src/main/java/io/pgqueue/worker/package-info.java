/** Benchmarks of what is package-private in the engine's package of this name. */
@NullMarked
package io.pgqueue.worker;

import org.jspecify.annotations.NullMarked;
