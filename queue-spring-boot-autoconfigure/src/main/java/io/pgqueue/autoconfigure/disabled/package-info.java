/**
 * The beans of an application that has switched the queue off.
 */
@NullMarked
package io.pgqueue.autoconfigure.disabled;

import org.jspecify.annotations.NullMarked;
