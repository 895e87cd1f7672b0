/** The benchmark of several databases, and of a broker that carries jobs. */
@NullMarked
package io.pgqueue.lab.scale;

import org.jspecify.annotations.NullMarked;
