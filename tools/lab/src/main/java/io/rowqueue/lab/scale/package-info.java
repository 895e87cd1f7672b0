/** The benchmark of several databases, and of a broker that carries jobs. */
@NullMarked
package io.rowqueue.lab.scale;

import org.jspecify.annotations.NullMarked;
