/**
 * The beans of an application that has switched the queue off.
 */
@NullMarked
package io.rowqueue.autoconfigure.disabled;

import org.jspecify.annotations.NullMarked;
