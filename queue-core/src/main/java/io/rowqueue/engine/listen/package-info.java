/**
 * Calls the listeners of an application in a separate thread.
 */
@NullMarked
package io.rowqueue.engine.listen;

import org.jspecify.annotations.NullMarked;
