/**
 * What many lanes and many rows cost: an application in a process of its own, and each of
 * its statements as the server counts it.
 */
@NullMarked
package io.rowqueue.lab.cost;

import org.jspecify.annotations.NullMarked;
