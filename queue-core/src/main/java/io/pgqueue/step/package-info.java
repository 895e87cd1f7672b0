/**
 * Steps, signals and waits: what lets the handler of a long job continue where it
 * stopped.
 */
@NullMarked
package io.pgqueue.step;

import org.jspecify.annotations.NullMarked;
