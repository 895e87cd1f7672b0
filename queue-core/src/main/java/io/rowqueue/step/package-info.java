/**
 * Steps, signals and waits: what lets the handler of a long job continue where it
 * stopped.
 */
@NullMarked
package io.rowqueue.step;

import org.jspecify.annotations.NullMarked;
