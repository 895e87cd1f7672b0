/**
 * Calls the listeners of an application in a separate thread.
 */
@NullMarked
package io.pgqueue.engine.listen;

import org.jspecify.annotations.NullMarked;
