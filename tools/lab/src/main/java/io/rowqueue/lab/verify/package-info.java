/** Breaks the queue on purpose, under load, and proves that nothing was lost. */
@NullMarked
package io.rowqueue.lab.verify;

import org.jspecify.annotations.NullMarked;
